package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each act on a sandbox has a row of the audit that says who did it. */
class SandboxAuditTest {
    private static final String SANDBOXES = "/api/v1/sandboxes";

    private final TestServer server = TestServer.with(Map.of());
    private final Client admin = server.newProject(3);

    @AfterEach
    void stop() {
        server.stop();
    }

    private record Key(String id, Client client) {}

    private Key developer() {
        var made = admin.post("/api/v1/keys", "{\"name\":\"d\",\"role\":\"developer\"}");
        return new Key(made.text("/id"), admin.as(made.text("/key")));
    }

    /** {@code actor action detail} of a sandbox's rows, the oldest first. */
    private List<String> rowsOf(String sandbox) {
        var rows = new ArrayList<String>();
        for (var row : admin.get("/api/v1/audit?limit=100").json("/items").values()) {
            if (row.get("subject").getStringValue().equals(sandbox)) {
                var detail = row.get("detail");
                rows.addFirst(row.get("actor").getStringValue() + " "
                        + row.get("action").getStringValue()
                        + (detail == null ? "" : " " + detail.getStringValue()));
            }
        }
        return rows;
    }

    @Test
    void everyActOnASandboxHasItsActor() {
        var maker = developer();
        var other = developer();
        var id = maker.client().newSandbox();
        var path = SANDBOXES + "/" + id;
        other.client().post(path + "/extend", "{\"seconds\":60}");
        other.client().post(path + "/stop", "");
        assertThat(other.client().post(path + "/stop", "").status())
                .as("a stop that changes nothing")
                .isEqualTo(200);
        maker.client().post(path + "/start", "");
        other.client().delete(path + "?keepWorkspace=true");
        assertThat(rowsOf(id))
                .containsExactly(
                        maker.id() + " sandbox.created template default",
                        other.id() + " sandbox.extended by 60 s",
                        other.id() + " sandbox.stopped",
                        maker.id() + " sandbox.started",
                        other.id() + " sandbox.deleted workspace kept");
        assertThat(admin.get("/api/v1/audit/verify").text("/intact")).isEqualTo("true");

        var heir = other.client().post(SANDBOXES, "{\"template\":\"default\",\"workspace\":\"" + id + "\"}");
        other.client().post(SANDBOXES + "/batch-delete", "{\"ids\":[\"" + heir.text("/id") + "\"]}");
        assertThat(rowsOf(heir.text("/id")))
                .containsExactly(
                        other.id() + " sandbox.created template default, workspace of " + id,
                        other.id() + " sandbox.deleted");
    }

    @Test
    void keysAndProjectsHaveTheirActorToo() {
        var adminsId = admin.get("/api/v1/keys").text("/items/0/id");
        var key = developer();
        admin.delete("/api/v1/keys/" + key.id());
        assertThat(rowsOf(key.id()))
                .containsExactly(adminsId + " key.created role developer", adminsId + " key.revoked d");

        var system = server.client();
        var project = system.post(
                        "/api/v1/projects", "{\"name\":\"audited-" + key.id().replace('_', '-') + "\"}")
                .text("/id");
        system.patch("/api/v1/projects/" + project, "{\"sandboxLimit\":7}");
        var rows = system.get("/api/v1/audit");
        assertThat(rows.text("/items/0/action")).isEqualTo("project.limit");
        assertThat(rows.text("/items/0/subject")).isEqualTo(project);
        assertThat(rows.text("/items/1/action")).isEqualTo("project.created");
        assertThat(rows.text("/items/1/actor"))
                .isEqualTo(rows.text("/items/0/actor"))
                .startsWith("key_");
    }

    @Test
    void aRetriedCreateHasOneRow() {
        var maker = developer();
        var body = "{\"template\":\"default\"}";
        var id = maker.client().post(SANDBOXES, body, "Idempotency-Key", "once").text("/id");
        assertThat(maker.client()
                        .post(SANDBOXES, body, "Idempotency-Key", "once")
                        .text("/id"))
                .isEqualTo(id);
        assertThat(rowsOf(id)).containsExactly(maker.id() + " sandbox.created template default");
    }

    @Test
    void aRefusedActHasNoRow() {
        var ids = List.of(admin.newSandbox(), admin.newSandbox(), admin.newSandbox());
        assertThat(admin.post(SANDBOXES, "{\"template\":\"default\"}").text("/name"))
                .isEqualTo("SANDBOX_LIMIT_EXCEEDED");
        assertThat(admin.post(SANDBOXES + "/" + ids.getFirst() + "/extend", "{\"seconds\":0}")
                        .status())
                .isEqualTo(400);
        admin.post(SANDBOXES + "/" + ids.getFirst() + "/start", "");
        assertThat(rowsOf(ids.getFirst())).hasSize(1);
        assertThat(admin.get("/api/v1/audit?limit=100").json("/items").size())
                .as("three creates, and whatever was refused by its status")
                .isEqualTo(ids.size());
    }

    @Test
    void aCreateThatDoesNotStartSaysSo() {
        server.runtime().failStart = "out of luck";
        var refused = admin.post(SANDBOXES, "{\"template\":\"default\"}");
        assertThat(refused.text("/name")).isEqualTo("SANDBOX_FAILED");
        assertThat(rowsOf(refused.text("/details/sandboxId")))
                .element(1)
                .isEqualTo("system sandbox.failed out of luck");
    }
}
