package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxFunctionsTest {
    private static final String SANDBOXES = "/api/v1/sandboxes";

    private final TestServer server = TestServer.shared();
    private final Client client = server.newProject();

    @Test
    void anotherProjectsSandboxIs403AndAnUnknownOne404() {
        var theirs = SANDBOXES + "/" + server.newProject().newSandbox();
        for (var path : new String[] {"", "/logs", "/stats", "/events"}) {
            assertThat(client.get(theirs + path).problem()).as(path).isEqualTo("403 1002 FORBIDDEN");
        }
        assertThat(client.delete(theirs).problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(client.post(theirs + "/extend", "{\"seconds\":1}").problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(client.post(theirs + "/stop", "").problem()).isEqualTo("403 1002 FORBIDDEN");
        for (var id : new String[] {"sbx-" + "0".repeat(26), "nonsense", "..%2F..%2Fetc"}) {
            assertThat(client.get(SANDBOXES + "/" + id).problem()).as(id).isEqualTo("404 2001 SANDBOX_NOT_FOUND");
        }
    }

    @Test
    void aDeletedSandboxIsGoneButItsHistoryStays() {
        var id = client.newSandbox();
        assertThat(client.delete(SANDBOXES + "/" + id).status()).isEqualTo(204);
        assertThat(client.get(SANDBOXES + "/" + id).problem()).isEqualTo("404 2001 SANDBOX_NOT_FOUND");
        assertThat(client.delete(SANDBOXES + "/" + id).problem()).isEqualTo("404 2001 SANDBOX_NOT_FOUND");
        var events = client.get(SANDBOXES + "/" + id + "/events");
        assertThat(events.text("/items/0/type")).isEqualTo("sandbox.created");
        assertThat(events.text("/items/" + (events.json("/items").size() - 1) + "/type"))
                .isEqualTo("sandbox.deleted");
    }

    @Test
    void aKeptWorkspaceIsListedTakenOverOrDeleted() {
        var id = client.newSandbox();
        assertThat(client.delete(SANDBOXES + "/" + id + "?keepWorkspace=true").status())
                .isEqualTo(204);
        assertThat(client.get("/api/v1/workspaces").text("/items/0/id")).isEqualTo(id);
        assertThat(server.newProject().get("/api/v1/workspaces").json("/items").size())
                .isZero();
        assertThat(server.newProject().delete("/api/v1/workspaces/" + id).problem())
                .isEqualTo("403 1002 FORBIDDEN");

        var heir = client.post(SANDBOXES, "{\"template\":\"default\",\"workspace\":\"" + id + "\"}");
        assertThat(heir.text("/workspace")).isEqualTo(id);
        assertThat(client.get("/api/v1/workspaces").json("/items").size()).isZero();
        assertThat(client.post(SANDBOXES, "{\"template\":\"default\",\"workspace\":\"" + id + "\"}")
                        .problem())
                .isEqualTo("404 2006 WORKSPACE_NOT_FOUND");

        for (var odd : new String[] {"1", "yes", "TRUE", ""}) {
            assertThat(client.delete(SANDBOXES + "/" + heir.text("/id") + "?keepWorkspace=" + odd)
                            .problem())
                    .as(odd)
                    .isEqualTo("400 1003 INVALID_REQUEST");
        }
        client.delete(SANDBOXES + "/" + heir.text("/id") + "?keepWorkspace=true");
        assertThat(client.delete("/api/v1/workspaces/" + heir.text("/id")).status())
                .isEqualTo(204);
        assertThat(client.get("/api/v1/workspaces").json("/items").size()).isZero();
    }

    @Test
    void aSandboxThatIsKeptAliveSaysUntilWhen() {
        var kept = client.post(SANDBOXES, "{\"template\":\"default\",\"keepAlive\":{\"onTraffic\":true}}");
        assertThat(Instant.parse(kept.text("/keepAlive/until")))
                .isEqualTo(Instant.parse(kept.text("/createdAt")).plus(Duration.ofHours(24)));
        var plain = client.post(SANDBOXES, "{\"template\":\"default\",\"keepAlive\":{\"onTraffic\":false}}");
        assertThat(plain.json("/keepAlive")).isNull();
        var misspelled = client.post(SANDBOXES, "{\"template\":\"default\",\"keepAlive\":{\"traffic\":true}}");
        assertThat(misspelled.status()).isEqualTo(400);
    }

    @Test
    void extendingAddsTimeUpToAnHour() {
        var id = client.newSandbox();
        var before = Instant.parse(client.get(SANDBOXES + "/" + id).text("/expiresAt"));
        var extended = client.post(SANDBOXES + "/" + id + "/extend", "{\"seconds\":3600}");
        assertThat(Duration.between(before, Instant.parse(extended.text("/expiresAt"))))
                .hasHours(1);
        for (var seconds : new String[] {"0", "3601", "-1", "\"x\"", "null"}) {
            assertThat(client.post(SANDBOXES + "/" + id + "/extend", "{\"seconds\":" + seconds + "}")
                            .problem())
                    .isEqualTo("400 1003 INVALID_REQUEST");
        }
    }

    @Test
    void stopAndStart() {
        var path = SANDBOXES + "/" + client.newSandbox();
        assertThat(client.post(path + "/stop", "").text("/state")).isEqualTo("stopped");
        assertThat(client.get(path).text("/stopReason")).isEqualTo("user");
        assertThat(client.get(path + "/stats").problem()).isEqualTo("409 2004 SANDBOX_NOT_RUNNING");
        assertThat(client.post(path + "/extend", "{\"seconds\":5}").problem())
                .isEqualTo("409 2004 SANDBOX_NOT_RUNNING");
        assertThat(client.post(path + "/start", "").text("/state")).isEqualTo("running");
    }

    @Test
    void batchDeleteSaysHowEachWent() {
        var first = client.newSandbox();
        var second = client.newSandbox();
        var theirs = server.newProject().newSandbox();
        var unknown = "sbx-" + "0".repeat(26);
        var result = client.post(
                SANDBOXES + "/batch-delete",
                "{\"ids\":[\"%s\",\"%s\",\"%s\",\"%s\"]}".formatted(first, second, theirs, unknown));
        assertThat(result.json("/succeeded").size()).isEqualTo(2);
        assertThat(result.text("/failed/0/id")).isEqualTo(theirs);
        assertThat(result.text("/failed/0/error/code")).isEqualTo("1002");
        assertThat(result.text("/failed/1/error/name")).isEqualTo("SANDBOX_NOT_FOUND");
        var all = client.post(SANDBOXES + "/batch-delete", "{\"ids\":[\"" + client.newSandbox() + "\"]}");
        assertThat(all.body()).as("an empty list is there too").contains("\"failed\":[]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"ids\":[]}", "{\"ids\":[null]}", "{}", "{\"ids\":\"x\"}", "51"})
    void aBatchOfNoneOrTooManyIsRefused(String body) {
        var sent = body.equals("51") ? "{\"ids\":[" + "\"x\",".repeat(50) + "\"x\"]}" : body;
        assertThat(client.post(SANDBOXES + "/batch-delete", sent).problem()).isEqualTo("400 1003 INVALID_REQUEST");
    }

    @Test
    void listsArePagedAndFiltered() {
        for (int i = 0; i < 5; i++) {
            client.post(SANDBOXES, "{\"template\":\"default\",\"labels\":{\"n\":\"" + i + "\"}}");
        }
        var first = client.get(SANDBOXES + "?limit=3");
        assertThat(first.json("/items").size()).isEqualTo(3);
        var second = client.get(SANDBOXES + "?limit=3&cursor=" + first.text("/nextCursor"));
        assertThat(second.json("/items").size()).isEqualTo(2);
        assertThat(second.text("/nextCursor")).isNull();
        assertThat(second.body()).contains("\"nextCursor\":null");
        assertThat(client.get(SANDBOXES + "?label=n=3").json("/items").size()).isEqualTo(1);
        assertThat(client.get(SANDBOXES + "?state=running&template=default")
                        .json("/items")
                        .size())
                .isEqualTo(5);
        assertThat(client.get(SANDBOXES + "?state=stopped").json("/items").size())
                .isZero();
        for (var query : new String[] {"state=odd", "limit=0", "limit=501", "limit=x", "cursor=odd", "label=odd"}) {
            assertThat(client.get(SANDBOXES + "?" + query).problem()).as(query).isEqualTo("400 1003 INVALID_REQUEST");
        }
    }

    @Test
    void textThatNoDatabaseStoresIsNotOurFault() {
        for (var path : new String[] {
            SANDBOXES + "?template=%00",
            SANDBOXES + "?label=a=%00",
            SANDBOXES + "?cursor=%00",
            "/api/v1/keys?cursor=%00"
        }) {
            assertThat(client.get(path).problem()).as(path).isEqualTo("400 1003 INVALID_REQUEST");
        }
        assertThat(client.delete("/api/v1/keys/%00").problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(server.client().patch("/api/v1/projects/%00", "{}").problem())
                .isEqualTo("400 1003 INVALID_REQUEST");
        for (var name : new String[] {"a\\u0000", "\\ud800"}) {
            assertThat(client.post("/api/v1/keys", "{\"name\":\"" + name + "\"}")
                            .problem())
                    .isEqualTo("400 1003 INVALID_REQUEST");
        }
    }

    @Test
    void logsAndStatsComeFromTheRuntime() {
        var path = SANDBOXES + "/" + client.newSandbox();
        assertThat(client.get(path + "/logs?tail=5").text("/lines/0/stream")).isEqualTo("agent");
        assertThat(client.get(path + "/logs?tail=0").problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(client.get(path + "/logs?since=yesterday").problem()).isEqualTo("400 1003 INVALID_REQUEST");
        var stats = client.get(path + "/stats");
        assertThat(stats.json("/cpu/limit").getDoubleValue()).isPositive();
        assertThat(stats.text("/pids")).isEqualTo("1");
    }
}
