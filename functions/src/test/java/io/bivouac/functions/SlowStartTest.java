package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.sandboxmodel.SandboxId;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A runtime that takes longer than anybody waits, as one that has an image to fetch. */
class SlowStartTest {
    private static final String SANDBOXES = "/api/v1/sandboxes";

    private final TestServer server = TestServer.with(Map.of(
            "bivouac.lifecycle.start-timeout", "2s",
            "bivouac.lifecycle.reconcile-every", "100ms",
            "bivouac.lifecycle.starts-at-once", 1));
    private final Client client = server.newProject();
    private final CountDownLatch made = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);

    SlowStartTest() {
        server.runtime().creating = _ -> {
            asked.countDown();
            CreateSandboxTest.awaitUninterruptibly(made);
        };
    }

    @AfterEach
    void stop() {
        made.countDown();
        server.stop();
    }

    @Test
    void aCreateIsAnsweredInTimeAndItsSandboxComesUpHoweverLongThatTakes() {
        var ids = new ArrayList<String>();
        // The first has the only place; together they take longer than a start may.
        for (int i = 0; i < 3; i++) {
            var accepted = client.post(SANDBOXES, "{\"template\":\"default\"}");
            assertThat(accepted.status()).isEqualTo(202);
            assertThat(accepted.text("/state")).isEqualTo("starting");
            ids.add(SANDBOXES + "/" + accepted.text("/id"));
        }
        assertThat(ids)
                .allSatisfy(path -> assertThat(client.get(path).text("/state")).isEqualTo("starting"));
        made.countDown();
        for (var path : ids) {
            Eventually.that("it to run", () -> "running".equals(client.get(path).text("/state")));
        }
    }

    @Test
    void aDeleteIsAnsweredInTimeAndIsDoneInTheEnd() throws Exception {
        var accepted = client.post(SANDBOXES, "{\"template\":\"default\"}", "Prefer", "respond-async");
        asked.await();
        var path = SANDBOXES + "/" + accepted.text("/id");
        assertThat(client.delete(path).problem()).isEqualTo("503 9003 UNAVAILABLE");
        made.countDown();
        Eventually.that("it to be gone", () -> client.get(path).status() == 404);
        assertThat(server.runtime().get(new SandboxId(accepted.text("/id")))).isEmpty();
    }
}
