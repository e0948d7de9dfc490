package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import java.util.HashSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreateSandboxTest {
    private static final String SANDBOXES = "/api/v1/sandboxes";

    private final TestServer server = TestServer.shared();
    private final Client client = server.newProject();

    @AfterEach
    void mend() {
        server.runtime().failStart = null;
        server.runtime().missingRoot = null;
        server.runtime().agentsRegister = true;
        server.runtime().creating = _ -> {};
    }

    @Test
    void aCreateAnswersWithARunningSandbox() {
        var made = client.post(SANDBOXES, """
                {"template":"default","name":"mine","timeoutSeconds":120,"envs":{"A":"b"},
                 "resources":{"cpu":0.5,"memory":"256m","disk":"2g"},"labels":{"team":"blue"}}""");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/id")).matches("sbx-[0-9a-z]{26}");
        assertThat(made.text("/state")).isEqualTo("running");
        assertThat(made.text("/name")).isEqualTo("mine");
        assertThat(made.text("/template")).isEqualTo("default");
        assertThat(made.text("/resources/memory")).isEqualTo("256m");
        assertThat(made.text("/resources/disk")).isEqualTo("2g");
        assertThat(made.text("/labels/team")).isEqualTo("blue");
        assertThat(made.text("/timeline/runtimeMs")).isNotNull();
        assertThat(made.text("/accessToken")).isNotBlank();
        assertThat(made.text("/createdAt")).endsWith("Z");

        var shown = client.get(SANDBOXES + "/" + made.text("/id"));
        assertThat(shown.text("/state")).isEqualTo("running");
        assertThat(shown.text("/accessToken")).isNull();
        assertThat(shown.text("/expiresAt")).isEqualTo(made.text("/expiresAt"));
    }

    @Test
    void theTimeoutMayBeWrittenWithAnUnderscore() {
        var made = client.post(SANDBOXES, "{\"template\":\"default\",\"timeout_seconds\":60}");
        assertThat(java.time.Duration.between(
                        java.time.Instant.parse(made.text("/createdAt")),
                        java.time.Instant.parse(made.text("/expiresAt"))))
                .hasSeconds(60);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"template\":\"\"}",
                "{\"template\":\"default\",\"timeoutSeconds\":0}",
                "{\"template\":\"default\",\"timeoutSeconds\":86401}",
                "{\"template\":\"default\",\"timeoutSeconds\":\"soon\"}",
                "{\"template\":\"default\",\"name\":\"\"}",
                "{\"template\":\"default\",\"resources\":{\"memory\":\"lots\"}}",
                "{\"template\":\"default\",\"resources\":{\"memory\":\"1k\"}}",
                "{\"template\":\"default\",\"resources\":{\"cpu\":0}}",
                "{\"template\":\"default\",\"resources\":{\"cpu\":-1}}",
                "{\"template\":\"default\",\"resources\":{\"cpu\":\"two\"}}",
                "{\"template\":\"default\",\"envs\":{\"1=2\":\"x\"}}",
                "{\"template\":\"default\",\"envs\":[]}",
                "{\"template\":\"default\",\"labels\":{\"\":\"x\"}}",
                "{\"template\":\"default\",\"labels\":\"x\"}",
                "{\"template\":\"default\",\"egress\":{}}",
                "{\"template\":\"default\",\"egress\":{\"allow\":[\"*\"]}}",
                "{\"template\":\"default\",\"egress\":{\"allow\":[\"0x7f000001\"]}}",
                "{\"template\":\"default\",\"name\":\"a\\u0000b\"}",
                "{\"template\":\"default\",\"name\":\"a\\ud800b\"}",
                "{\"template\":\"default\",\"labels\":{\"a\":\"\\u0000\"}}",
                "{\"template\":\"default\",\"labels\":{\"a\":\"\\ud800\"}}",
                "{\"template\":\"default\",\"envs\":{\"A\":\"\\udc00\"}}",
                "{\"template\":\"default\",\"timeout\":60}",
                "{\"template\":\"default\",\"resources\":{\"gpu\":1}}",
                "{\"template\":\"default\",\"egress\":{\"allow\":[],\"deny\":[]}}",
                "{\"template\":7.5,\"name\":{}}",
                "{\"template\":\"default\"",
                "[]",
                "null",
                "",
                "not json",
            })
    void badInputIsAClearErrorAndChangesNothing(String body) {
        var refused = client.post(SANDBOXES, body);
        assertThat(refused.problem()).as(refused.body()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.text("/detail")).isNotBlank();
        assertThat(client.get(SANDBOXES).json("/items").size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"; rm -rf /", "$(rm -rf /)", "`rm -rf /`", "'; DROP TABLE sandboxes; --", "../../etc"})
    void whatAShellOrADatabaseWouldRunIsText(String text) {
        var body = "{\"template\":\"default\",\"name\":\"%1$s\",\"envs\":{\"A\":\"%1$s\"},\"labels\":{\"a\":\"%1$s\"}}";
        var made = client.post(SANDBOXES, body.formatted(text), "Idempotency-Key", text);
        assertThat(made.status()).isEqualTo(201);
        assertThat(client.get(SANDBOXES).text("/items/0/name")).isEqualTo(text);
        assertThat(client.get(SANDBOXES).text("/items/0/labels/a")).isEqualTo(text);
        assertThat(client.post(SANDBOXES, "{\"template\":\"default" + text + "\"}")
                        .problem())
                .isEqualTo("404 2002 TEMPLATE_NOT_FOUND");
    }

    @Test
    void aFieldThatIsNotKnownIsNamed() {
        for (var body : new String[] {
            "{\"template\":\"default\",\"autoPause\":true}",
            "{\"template\":\"default\",\"resources\":{\"autoPause\":1}}"
        }) {
            var refused = client.post(SANDBOXES, body);
            assertThat(refused.problem()).isEqualTo("400 1003 INVALID_REQUEST");
            assertThat(refused.text("/detail")).contains("autoPause");
        }
        for (var door : new String[] {SANDBOXES + "/" + client.newSandbox() + "/extend", "/api/v1/keys"}) {
            assertThat(client.post(door, "{\"seconds\":1,\"name\":\"x\",\"odd\":1}")
                            .problem())
                    .as(door)
                    .isEqualTo("400 1003 INVALID_REQUEST");
        }
    }

    @Test
    void aSandboxWithoutANameHasItsIdForOne() {
        var body = "{\"template\":\"default\"}";
        var made = client.post(SANDBOXES, body, "Idempotency-Key", "k-name");
        assertThat(made.text("/name")).isEqualTo(made.text("/id"));
        assertThat(client.get(SANDBOXES + "/" + made.text("/id")).text("/name")).isEqualTo(made.text("/id"));
        assertThat(client.post(SANDBOXES, body, "Idempotency-Key", "k-name").body())
                .isEqualTo(made.body());
    }

    @Test
    void anUnknownTemplateIs404() {
        assertThat(client.post(SANDBOXES, "{\"template\":\"nope\"}").problem())
                .isEqualTo("404 2002 TEMPLATE_NOT_FOUND");
    }

    @Test
    void aTemplateWhoseRootIsNotHereIsRefusedBeforehand() {
        server.runtime().missingRoot = "The image is not here.";
        var refused = client.post(SANDBOXES, "{\"template\":\"default\"}");
        assertThat(refused.problem()).isEqualTo("422 2007 UNSUPPORTED_BY_RUNTIME");
        assertThat(refused.text("/detail")).isEqualTo("The image is not here.");
        assertThat(client.get(SANDBOXES).json("/items").size()).isZero();
        assertThat(client.get("/api/v1/templates").text("/items/0/available")).isEqualTo("false");
        server.runtime().missingRoot = null;
        assertThat(client.get("/api/v1/templates").text("/items/0/available")).isEqualTo("true");
    }

    @Test
    void aFullProjectIs429() {
        var small = server.newProject(1);
        assertThat(small.newSandbox()).isNotNull();
        assertThat(small.post(SANDBOXES, "{\"template\":\"default\"}").problem())
                .isEqualTo("429 2003 SANDBOX_LIMIT_EXCEEDED");
    }

    @Test
    void aRetryWithTheSameIdempotencyKeyGivesTheSameBody() {
        var body = "{\"template\":\"default\",\"name\":\"once\"}";
        var first = client.post(SANDBOXES, body, "Idempotency-Key", "k-1");
        var again = client.post(SANDBOXES, body, "Idempotency-Key", "k-1");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(client.get(SANDBOXES).json("/items").size()).isEqualTo(1);
        assertThat(client.post(SANDBOXES, "{\"template\":\"default\"}", "Idempotency-Key", "k-1")
                        .problem())
                .isEqualTo("409 1004 CONFLICT");
    }

    @Test
    void manyRetriesAtOnceMakeOneSandbox() throws Exception {
        Callable<String> create =
                () -> client.post(SANDBOXES, "{\"template\":\"default\"}", "Idempotency-Key", "k-many")
                        .text("/id");
        var ids = new HashSet<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(
                    IntStream.range(0, 10).mapToObj(_ -> create).toList())) {
                ids.add(answer.get());
            }
        }
        assertThat(ids).hasSize(1).doesNotContainNull();
        assertThat(client.get(SANDBOXES).json("/items").size()).isEqualTo(1);
    }

    @Test
    void moreCreatesAtOnceThanThereAreConnectionsAllSucceed() throws Exception {
        Callable<Integer> create =
                () -> client.post(SANDBOXES, "{\"template\":\"default\"}").status();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(
                    IntStream.range(0, 60).mapToObj(_ -> create).toList())) {
                assertThat(answer.get()).isEqualTo(201);
            }
        }
    }

    @Test
    void createsWithAndWithoutAKeyDoNotHoldEachOtherUp() throws Exception {
        var creates = IntStream.range(0, 60).mapToObj(i -> (Callable<Integer>) () -> (i % 2 == 0
                        ? client.post(SANDBOXES, "{\"template\":\"default\"}")
                        : client.post(SANDBOXES, "{\"template\":\"default\"}", "Idempotency-Key", "mixed-" + i))
                .status());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(creates.toList())) {
                assertThat(answer.get()).isEqualTo(201);
            }
        }
    }

    @Test
    void environmentsAreBoundedTogether() {
        var value = "x".repeat(30_000);
        var four = "\"A\":\"%1$s\",\"B\":\"%1$s\",\"C\":\"%1$s\",\"D\":\"%1$s\"".formatted(value);
        assertThat(client.post(SANDBOXES, "{\"template\":\"default\",\"envs\":{" + four + "}}")
                        .status())
                .isEqualTo(201);
        var refused =
                client.post(SANDBOXES, "{\"template\":\"default\",\"envs\":{" + four + ",\"E\":\"" + value + "\"}}");
        assertThat(refused.problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(refused.text("/detail"))
                .isEqualTo("envs has 150005 bytes of names and values, at most 131072 are taken.");
    }

    @Test
    void ofTwoCreatesForOneWorkspaceOneIsToldThatItIsGone() throws Exception {
        var kept = client.newSandbox();
        client.delete(SANDBOXES + "/" + kept + "?keepWorkspace=true");
        var body = "{\"template\":\"default\",\"workspace\":\"" + kept + "\"}";
        var underWay = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        server.runtime().creating = _ -> {
            underWay.countDown();
            awaitUninterruptibly(goOn);
        };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> client.post(SANDBOXES, body).status());
            underWay.await();
            server.runtime().creating = _ -> {};
            var second = client.post(SANDBOXES, body);
            goOn.countDown();
            assertThat(second.problem()).isEqualTo("404 2006 WORKSPACE_NOT_FOUND");
            assertThat(first.get()).isEqualTo(201);
        }
        assertThat(client.get(SANDBOXES).json("/items").size()).isEqualTo(1);
    }

    static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @Test
    void withPreferRespondAsyncTheAnswerDoesNotWait() {
        server.runtime().agentsRegister = false;
        var accepted = client.post(SANDBOXES, "{\"template\":\"default\"}", "Prefer", "respond-async");
        assertThat(accepted.status()).isEqualTo(202);
        assertThat(accepted.text("/state")).isEqualTo("starting");
        assertThat(client.delete(SANDBOXES + "/" + accepted.text("/id")).status())
                .isEqualTo(204);
        server.runtime().agentsRegister = true;
        var next = client.post(SANDBOXES, "{\"template\":\"default\"}", "Prefer", "respond-async");
        Eventually.that(
                "the sandbox to run",
                () -> "running"
                        .equals(client.get(SANDBOXES + "/" + next.text("/id")).text("/state")));
    }

    @Test
    void aStartThatFailsSaysWhyAndLeavesADeletableSandbox() {
        server.runtime().failStart = "no room on this host";
        var failed = client.post(SANDBOXES, "{\"template\":\"default\"}");
        assertThat(failed.problem()).isEqualTo("500 2005 SANDBOX_FAILED");
        assertThat(failed.text("/detail")).contains("no room on this host");
        var id = failed.text("/details/sandboxId");
        assertThat(client.get(SANDBOXES + "/" + id).text("/stateReason")).isEqualTo("no room on this host");
        assertThat(client.delete(SANDBOXES + "/" + id).status()).isEqualTo(204);
    }

    @Test
    void aViewerMayNotCreate() {
        var viewer = client.as(client.post("/api/v1/keys", "{\"name\":\"v\",\"role\":\"viewer\"}")
                .text("/key"));
        assertThat(viewer.post(SANDBOXES, "{\"template\":\"default\"}").problem())
                .isEqualTo("403 1002 FORBIDDEN");
        assertThat(viewer.get(SANDBOXES).status()).isEqualTo(200);
    }
}
