package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.TestStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class OperationsTest {
    private final TestServer server = TestServer.shared();
    private final Client client = server.newProject();
    private final Client nobody = client.as(null);

    @Test
    void healthAndReadyNeedNoKey() {
        assertThat(nobody.get("/health").text("/status")).isEqualTo("UP");
        var ready = nobody.get("/ready");
        assertThat(ready.status()).as(ready.body()).isEqualTo(200);
        assertThat(ready.text("/checks/database/status")).isEqualTo("UP");
        assertThat(ready.text("/checks/kafka/status")).isEqualTo("UP");
        assertThat(ready.text("/checks/runtime/status")).isEqualTo("UP");
    }

    @Test
    void aDatabaseThatIsAwayIsAClear503AndComesBackByItself() {
        var id = client.newSandbox();
        TestStack.get().postgres().close();
        try {
            var refused = Eventually.get(
                    "a 503", () -> client.get("/api/v1/sandboxes/" + id), answer -> answer.status() == 503);
            assertThat(refused.problem()).isEqualTo("503 9003 UNAVAILABLE");
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(client.post("/api/v1/sandboxes", "{\"template\":\"default\"}")
                            .problem())
                    .isEqualTo("503 9003 UNAVAILABLE");
            assertThat(client.post("/api/v1/sandboxes/batch-delete", "{\"ids\":[\"" + id + "\"]}")
                            .text("/failed/0/error/code"))
                    .isEqualTo("9003");
            var ready = nobody.get("/ready");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.text("/checks/database/status")).isEqualTo("DOWN");
            assertThat(nobody.get("/health").status()).isEqualTo(200);
        } finally {
            TestStack.get().postgres().restart();
        }
        Eventually.that("the server to come back", () -> nobody.get("/ready").status() == 200);
        assertThat(client.get("/api/v1/sandboxes/" + id).status()).isEqualTo(200);
        assertThat(client.newSandbox()).isNotNull();
    }

    @Test
    void aKafkaThatIsAwayMakesUsUnreadyAndComesBackByItself() {
        TestStack.get().kafka().close();
        try {
            var ready = Eventually.get("a 503", () -> nobody.get("/ready"), answer -> answer.status() == 503);
            assertThat(ready.text("/checks/kafka/status")).isEqualTo("DOWN");
            assertThat(client.newSandbox())
                    .as("events wait in the outbox for a moment")
                    .isNotNull();
            var refused = Eventually.get(
                    "no more changes after that moment",
                    () -> client.post("/api/v1/sandboxes", "{\"template\":\"default\"}"),
                    answer -> answer.status() == 503);
            assertThat(refused.text("/code")).isEqualTo("9003");
            assertThat(refused.text("/detail")).contains("Kafka").contains("Nothing was changed");
            assertThat(client.get("/api/v1/sandboxes").status()).isEqualTo(200);
        } finally {
            TestStack.get().kafka().restart();
        }
        Eventually.that(
                "the server to be ready again", () -> nobody.get("/ready").status() == 200);
        // In a project that is not full of what was asked for meanwhile.
        var newcomer = server.newProject();
        Eventually.that(
                "changes are taken again",
                () -> newcomer.post("/api/v1/sandboxes", "{\"template\":\"default\"}")
                                .status()
                        == 201);
    }

    @Test
    void metricsTellRateErrorsAndDurationOfEachFunctionAndTheOutboxsLag() {
        client.get("/api/v1/sandboxes/sbx-" + "0".repeat(26));
        client.newSandbox();
        var metrics = nobody.get("/metrics").body();
        assertThat(metrics)
                .contains("http_server_requests_seconds_count")
                .contains("uri=\"/api/v1/sandboxes/{id}\"")
                .contains("status=\"404\"")
                .contains("bivouac_outbox_lag_seconds")
                .contains("bivouac_sandboxes{state=\"running\"}");
    }

    @Test
    void theApiIsDescribedAndShownOffline() {
        var description = nobody.get("/openapi.yml").body();
        assertThat(description)
                .contains("openapi: 3.")
                .contains("/api/v1/sandboxes/{id}/extend:")
                .contains("/api/v1/sandboxes/batch-delete:")
                .contains("timeoutSeconds");
        var page = nobody.get("/docs/reference/index.html");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).doesNotContain("http://").doesNotContain("https://");
        assertThat(nobody.get("/docs/reference/").status()).isEqualTo(200);
        assertThat(nobody.get("/docs/swagger-ui/swagger-ui-bundle.js").status()).isEqualTo(200);
        assertThat(nobody.get("/docs/swagger-ui/swagger-ui.css").status()).isEqualTo(200);
    }

    @Test
    void everyOperationIsDescribedWithItsStatusItsErrorsAndANameOfItsOwn() {
        Map<String, Map<String, Map<String, Object>>> paths =
                Described.paths(nobody.get("/openapi.yml").body());

        var names = new ArrayList<String>();
        paths.forEach((path, operations) -> operations.forEach((method, operation) -> {
            names.add((String) operation.get("operationId"));
            assertThat(Described.statuses(operation))
                    .as(method + " " + path)
                    .contains("403")
                    .doesNotContain("default");
            boolean open = !path.startsWith("/api/") && !path.startsWith("/-/");
            assertThat(open ? List.of() : null).as(method + " " + path).isEqualTo(operation.get("security"));
        }));
        assertThat(names).doesNotContainNull().doesNotHaveDuplicates().contains("createSandbox", "listKeys");
        assertThat(Described.statuses(paths.get("/api/v1/sandboxes").get("post")))
                .contains("201", "202", "400", "401", "404", "409", "413", "415", "422", "429", "500", "503")
                .doesNotContain("200", "410");
        assertThat(Described.statuses(paths.get("/api/v1/sandboxes/{id}").get("delete")))
                .contains("204", "404", "409")
                .doesNotContain("200", "413");
        assertThat(Described.statuses(paths.get("/api/v1/keys").get("post")))
                .contains("201", "400")
                .doesNotContain("404", "409");
        assertThat(nobody.get("/openapi.yml").body())
                .contains("application/problem+json")
                .contains("SANDBOX_NOT_FOUND")
                .contains("ConsoleSession:");
    }

    @Test
    void aRequiredFieldIsNullInAnswersAlone() {
        var description = nobody.get("/openapi.yml").body();

        assertThat(Described.property(description, "Listing_KeyView_", "nextCursor"))
                .containsEntry("nullable", true);
        assertThat(Described.property(description, "CreateKey.KeyRequest", "name"))
                .doesNotContainKey("nullable");
        assertThat(Described.statuses(
                        Described.paths(description).get("/api/v1/session").get("get")))
                .contains("404");
    }

    @Test
    void systemFiguresShowTheWholeInstallation() {
        client.newSandbox();
        var stats = server.client().get("/api/v1/stats");
        assertThat(stats.json("/sandboxes/running").getIntValue()).isPositive();
        assertThat(stats.text("/runtime/name")).isEqualTo("memory");
        assertThat(stats.text("/outbox/unpublished")).isNotNull();
    }

    @Test
    void templatesAreListed() {
        var templates = client.get("/api/v1/templates");
        assertThat(templates.text("/items/0/name")).isEqualTo("default");
        assertThat(templates.text("/items/0/memory")).isEqualTo("512m");
    }

    @Test
    void functionsRunOnABoundedNumberOfThreadsOfTheOperatingSystem() throws Exception {
        var threads = server.requestThreads();
        assertThat(threads.submit(() -> Thread.currentThread().isVirtual()).get())
                .isFalse();
        var hold = new CountDownLatch(1);
        try {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            threads.execute(() -> awaitUninterruptibly(hold));
                        }
                    })
                    .isInstanceOf(RejectedExecutionException.class);
            assertThat(client.get("/api/v1/sandboxes").problem()).isEqualTo("503 9003 UNAVAILABLE");
        } finally {
            hold.countDown();
        }
        Eventually.get("an answer", () -> client.get("/api/v1/sandboxes"), answer -> answer.status() == 200);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
