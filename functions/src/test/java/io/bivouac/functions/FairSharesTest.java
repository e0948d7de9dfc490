package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What all callers use together, with one of them taking all they can get. */
class FairSharesTest {
    private static final String SANDBOXES = "/api/v1/sandboxes";
    private static final String ANY = "{\"template\":\"default\"}";

    private final List<AutoCloseable> streams = new ArrayList<>();
    private TestServer server;

    @AfterEach
    void stop() throws Exception {
        for (var stream : streams) {
            stream.close();
        }
        server.stop();
    }

    @Test
    void oneViewersKeyCannotTakeAllEventStreams() {
        server = TestServer.with(Map.of(
                "bivouac.event-streams.per-caller", 2,
                "bivouac.project.event-streams", 3,
                "bivouac.event-streams.most", 4));
        var admin = server.newProject();
        var viewer = admin.as(admin.post("/api/v1/keys", "{\"name\":\"v\",\"role\":\"viewer\"}")
                .text("/key"));
        open(viewer);
        open(viewer);
        var refused = viewer.get("/api/v1/events");
        assertThat(refused.problem()).isEqualTo("429 9004 SHARE_LIMIT_EXCEEDED");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.text("/detail")).startsWith("This caller has 2 event streams at once");
        assertThat(refused.text("/details/bound")).isEqualTo("caller");

        open(admin);
        assertThat(admin.get("/api/v1/events").text("/details/bound")).isEqualTo("project");
        var another = server.newProject();
        open(another);
        assertThat(another.get("/api/v1/events").problem()).isEqualTo("503 9003 UNAVAILABLE");
    }

    @Test
    void requestsThatWaitKeepOnlyTheirCallersOthersOut() {
        server = TestServer.with(Map.of("bivouac.requests.per-caller", 3, "bivouac.requests.per-project", 4));
        var release = new CountDownLatch(1);
        var begun = new Semaphore(0);
        server.runtime().creating = _ -> {
            begun.release();
            CreateSandboxTest.awaitUninterruptibly(release);
        };
        var admin = server.newProject();
        var other = admin.as(admin.post("/api/v1/keys", "{\"name\":\"d\"}").text("/key"));
        var waiting = new ArrayList<CompletableFuture<Integer>>();
        try {
            for (int i = 0; i < 3; i++) {
                waiting.add(CompletableFuture.supplyAsync(
                        () -> admin.post(SANDBOXES, ANY).status(),
                        task -> Thread.ofVirtual().start(task)));
            }
            begun.acquireUninterruptibly(3);
            var refused = admin.get(SANDBOXES);
            assertThat(refused.problem()).isEqualTo("429 9004 SHARE_LIMIT_EXCEEDED");
            assertThat(refused.text("/details/bound")).isEqualTo("caller");
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(other.get(SANDBOXES).status()).isEqualTo(200);
            assertThat(server.newProject().get(SANDBOXES).status()).isEqualTo(200);
        } finally {
            release.countDown();
        }
        assertThat(waiting).allSatisfy(each -> assertThat(each.join()).isEqualTo(201));
        Eventually.that("the caller may ask again", () -> admin.get(SANDBOXES).status() == 200);
    }

    @Test
    void aProjectsStartsDoNotKeepAnotherOnesWaiting() {
        server = TestServer.with(
                Map.of("bivouac.lifecycle.starts-at-once", 2, "bivouac.lifecycle.starts-per-project", 1));
        var release = new CountDownLatch(1);
        var greedy = server.newProject();
        var begun = new CopyOnWriteArrayList<String>();
        server.runtime().creating = id -> {
            begun.add(id.value());
            if (begun.getFirst().equals(id.value())) {
                CreateSandboxTest.awaitUninterruptibly(release);
            }
        };
        try {
            startInBackground(greedy, 5);
            Eventually.that("the first to begin", () -> begun.size() == 1);
            assertThat(server.newProject().post(SANDBOXES, ANY).status()).isEqualTo(201);
        } finally {
            release.countDown();
        }
        Eventually.that("all others", () -> begun.size() == 6);
    }

    @Test
    void theProjectWithTheFewestStartsGoesFirst() {
        server = TestServer.with(
                Map.of("bivouac.lifecycle.starts-at-once", 2, "bivouac.lifecycle.starts-per-project", 2));
        var steps = new Semaphore(0);
        var begun = new CopyOnWriteArrayList<String>();
        server.runtime().creating = id -> {
            begun.add(id.value());
            steps.acquireUninterruptibly();
        };
        try {
            startInBackground(server.newProject(), 6);
            Eventually.that("both places taken", () -> begun.size() == 2);
            var late = startInBackground(server.newProject(), 1).getFirst();
            Eventually.that(
                    "five in line",
                    () -> server.client().get("/metrics").body().contains("bivouac_shares_waiting{pool=\"starts\"} 5"));
            steps.release();
            Eventually.that("the next to begin", () -> begun.size() == 3);
            assertThat(begun.get(2)).isEqualTo(late);
        } finally {
            steps.release(100);
        }
    }

    private static List<String> startInBackground(Client client, int times) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < times; i++) {
            var accepted = client.post(SANDBOXES, ANY, "Prefer", "respond-async");
            assertThat(accepted.status()).isEqualTo(202);
            ids.add(accepted.text("/id"));
        }
        return ids;
    }

    private void open(Client client) {
        var stream = new EventLines(client.request("/api/v1/events").GET().build());
        streams.add(stream);
        stream.block();
    }
}
