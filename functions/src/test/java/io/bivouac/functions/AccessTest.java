package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AccessTest {
    private final TestServer server = TestServer.shared();
    private final Client client = server.newProject();

    @Test
    void withoutAValidKeyThereIsNothing() {
        for (var path : new String[] {"/api/v1/sandboxes", "/api/v1/keys", "/api/v1/nowhere"}) {
            assertThat(client.as(null).get(path).problem()).as(path).isEqualTo("401 1001 UNAUTHORIZED");
            assertThat(client.as("bvk_wrong").get(path).problem()).isEqualTo("401 1001 UNAUTHORIZED");
        }
        assertThat(client.as(null).get("/api/v1/sandboxes").header("WWW-Authenticate"))
                .startsWith("Bearer");
        var byHeader = client.as(null);
        assertThat(byHeader.send(byHeader.request("/api/v1/templates")
                                .header("X-API-Key", "nope")
                                .GET())
                        .status())
                .isEqualTo(401);
    }

    @Test
    void aKeyMayComeInEitherHeader() {
        var key = client.post("/api/v1/keys", "{\"name\":\"x\"}").text("/key");
        var none = client.as(null);
        assertThat(none.send(none.request("/api/v1/templates")
                                .header("X-API-Key", key)
                                .GET())
                        .status())
                .isEqualTo(200);
        assertThat(client.as(key).get("/api/v1/templates").status()).isEqualTo(200);
    }

    @Test
    void keysAreMadeShownOnceListedAndRevoked() {
        var made = client.post("/api/v1/keys", "{\"name\":\"ci\",\"role\":\"developer\"}");
        assertThat(made.status()).isEqualTo(201);
        var id = made.text("/id");
        var listed = client.get("/api/v1/keys");
        assertThat(listed.body()).contains(id).doesNotContain(made.text("/key"));
        assertThat(listed.text("/items/0/prefix")).isEqualTo(made.text("/prefix"));
        assertThat(client.delete("/api/v1/keys/" + id).status()).isEqualTo(204);
        assertThat(client.as(made.text("/key")).get("/api/v1/sandboxes").status())
                .isEqualTo(401);
        assertThat(client.delete("/api/v1/keys/key_unknown").problem()).isEqualTo("404 1006 NOT_FOUND");
        assertThat(client.post("/api/v1/keys", "{\"name\":\"x\",\"role\":\"king\"}")
                        .problem())
                .isEqualTo("400 1003 INVALID_REQUEST");
    }

    @Test
    void onlyAdminsSeeKeysAndAuditAndOnlyTheSystemsAdminSeesProjects() {
        var developer =
                client.as(client.post("/api/v1/keys", "{\"name\":\"d\"}").text("/key"));
        for (var path : new String[] {"/api/v1/keys", "/api/v1/audit", "/api/v1/audit/verify"}) {
            assertThat(developer.get(path).problem()).as(path).isEqualTo("403 1002 FORBIDDEN");
            assertThat(client.get(path).status()).as(path).isEqualTo(200);
        }
        for (var path : new String[] {"/api/v1/projects", "/api/v1/stats"}) {
            assertThat(client.get(path).problem()).as(path).isEqualTo("403 1002 FORBIDDEN");
            assertThat(server.client().get(path).status()).as(path).isEqualTo(200);
        }
        assertThat(client.post("/api/v1/gc", "").problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(server.client().post("/api/v1/gc", "").status()).isEqualTo(200);
    }

    @Test
    void aProjectsLimitCanBeChanged() {
        var made = server.client()
                .post("/api/v1/projects", "{\"name\":\"lim-" + System.nanoTime() + "\",\"sandboxLimit\":0}");
        var project = server.client().as(made.text("/key"));
        assertThat(project.post("/api/v1/sandboxes", "{\"template\":\"default\"}")
                        .status())
                .isEqualTo(429);
        var changed = server.client().patch("/api/v1/projects/" + made.text("/id"), "{\"sandboxLimit\":1}");
        assertThat(changed.text("/sandboxLimit")).isEqualTo("1");
        assertThat(project.post("/api/v1/sandboxes", "{\"template\":\"default\"}")
                        .status())
                .isEqualTo(201);
        assertThat(server.client()
                        .patch("/api/v1/projects/prj_none", "{\"sandboxLimit\":1}")
                        .problem())
                .isEqualTo("404 1006 NOT_FOUND");
        assertThat(server.client()
                        .post("/api/v1/projects", "{\"name\":\"Not Valid\"}")
                        .problem())
                .isEqualTo("400 1003 INVALID_REQUEST");
    }

    @Test
    void actsAreAuditedAndTheChainIsIntact() {
        var key = client.post("/api/v1/keys", "{\"name\":\"audited\"}").text("/id");
        assertThat(client.get("/api/v1/audit").text("/items/0/subject")).isEqualTo(key);
        assertThat(client.get("/api/v1/audit/verify").text("/intact")).isEqualTo("true");
    }

    @Test
    void tooManyRequestsOfAKeyAre429WithRetryAfter() {
        var slow = TestServer.with(Map.of("bivouac.rate-limit", 5));
        try {
            var answers = IntStream.range(0, 20)
                    .mapToObj(_ -> slow.client().get("/api/v1/templates"))
                    .toList();
            assertThat(answers).anyMatch(answer -> answer.status() == 200);
            var refused = answers.stream()
                    .filter(answer -> answer.status() == 429)
                    .findFirst()
                    .orElseThrow();
            assertThat(refused.problem()).isEqualTo("429 9002 RATE_LIMITED");
            assertThat(refused.header("Retry-After")).isEqualTo("1");
        } finally {
            slow.stop();
        }
    }
}
