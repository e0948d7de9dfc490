package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EgressTest {
    private static final String SANDBOXES = "/api/v1/sandboxes";

    private final TestServer server = TestServer.shared();
    private final Client client = server.newProject();

    @Test
    void aSandboxReachesNothingUnlessItIsSaid() {
        assertThat(client.get(SANDBOXES + "/" + client.newSandbox()).body())
                .contains("\"egress\":{\"allow\":[],\"ask\":true}");
        var made = client.post(
                SANDBOXES, "{\"template\":\"default\",\"egress\":{\"allow\":[\"Example.org\",\"*.a.example:80\"]}}");
        assertThat(made.body())
                .contains("\"egress\":{\"allow\":[\"example.org:443\",\"*.a.example:80\"],\"ask\":true}");
        assertThat(client.get(SANDBOXES + "/" + made.text("/id")).text("/egress/allow/1"))
                .isEqualTo("*.a.example:80");
    }

    @Test
    void theListIsReplacedLiveAndTheAuditSaysByWhom() {
        var path = SANDBOXES + "/" + client.newSandbox();
        var changed = client.put(path + "/egress", "{\"allow\":[\"example.org\"]}");
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        assertThat(changed.text("/egress/allow/0")).isEqualTo("example.org:443");
        assertThat(client.put(path + "/egress", "{\"allow\":[\"example.org:443\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(client.post(path + "/stop", "").text("/egress/allow/0")).isEqualTo("example.org:443");
        assertThat(client.put(path + "/egress", "{\"allow\":[]}").body())
                .contains("\"egress\":{\"allow\":[],\"ask\":true}");
        var audit = client.get("/api/v1/audit");
        assertThat(audit.text("/items/0/action")).isEqualTo("sandbox.egress");
        assertThat(audit.text("/items/0/detail")).isEqualTo("nothing");
        assertThat(audit.text("/items/1/action")).isEqualTo("sandbox.stopped");
        assertThat(audit.text("/items/2/action")).isEqualTo("sandbox.egress");
        assertThat(audit.text("/items/2/detail")).isEqualTo("example.org:443");
        assertThat(audit.text("/items/3/action")).as("no change, no row").isEqualTo("sandbox.created");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"allow\":null}", "{\"allow\":[null]}", "{\"allow\":\"x\"}", "{\"allow\":[\"*\"]}", "[]"
            })
    void whatIsNoListIsRefusedAndChangesNothing(String body) {
        var path = SANDBOXES + "/" + client.newSandbox();
        client.put(path + "/egress", "{\"allow\":[\"example.org\"]}");
        assertThat(client.put(path + "/egress", body).problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(client.get(path).text("/egress/allow/0")).isEqualTo("example.org:443");
    }

    @Test
    void presetsStandForWhatTheServerKnowsAndAnUnknownOneIsRefusedWithTheNearest() {
        var path = SANDBOXES + "/" + client.newSandbox();
        var changed = client.put(path + "/egress", "{\"allow\":[\"@npm\",\"@public\"],\"ask\":false}");
        assertThat(changed.body()).contains("\"egress\":{\"allow\":[\"@npm\",\"@public\"],\"ask\":false}");
        var refused = client.put(path + "/egress", "{\"allow\":[\"@nmp\"]}");
        assertThat(refused.problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(refused.body()).contains("there is no preset @nmp").contains("Did you mean @npm?");
        assertThat(client.get(path + "/egress").body())
                .contains("\"allow\":[\"@npm\",\"@public\"],\"ask\":false,\"blocked\":[]");
        var listed = client.get("/api/v1/egress/presets");
        assertThat(listed.body())
                .contains("\"name\":\"@pip\"", "\"name\":\"@apt\"", "\"from\":\"tool\"")
                .contains("{\"name\":\"@public\",\"hosts\":[],\"from\":\"public\"}");
    }

    @Test
    void hostsOpenedForATemplateAreThoseOfItsNewSandboxesAndOfNobodyElses() {
        var template = "/api/v1/templates/default/egress";
        var before = client.newSandbox();
        assertThat(client.put(template, "{\"allow\":[\"example.org\"]}").body())
                .isEqualTo("{\"allow\":[\"example.org:443\"]}");
        assertThat(client.get(SANDBOXES + "/" + client.newSandbox()).text("/egress/allow/0"))
                .isEqualTo("example.org:443");
        assertThat(client.get(SANDBOXES + "/" + before).body()).contains("\"egress\":{\"allow\":[]");
        var other = server.newProject();
        assertThat(other.get(SANDBOXES + "/" + other.newSandbox()).body()).contains("\"egress\":{\"allow\":[]");
        var own = client.post(SANDBOXES, "{\"template\":\"default\",\"egress\":{\"allow\":[]}}");
        assertThat(own.body()).as("a create that says egress").contains("\"egress\":{\"allow\":[]");
        assertThat(client.put("/api/v1/templates/nope/egress", "{\"allow\":[]}").status())
                .isEqualTo(404);
        assertThat(client.put(template, "{}").problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(client.get(template).body()).isEqualTo("{\"allow\":[\"example.org:443\"]}");
    }

    @Test
    void viewersAndOtherProjectsChangeNothing() {
        var path = SANDBOXES + "/" + client.newSandbox() + "/egress";
        var viewer = client.as(client.post("/api/v1/keys", "{\"name\":\"v\",\"role\":\"viewer\"}")
                .text("/key"));
        assertThat(viewer.put(path, "{\"allow\":[]}").problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(server.newProject().put(path, "{\"allow\":[]}").problem()).isEqualTo("403 1002 FORBIDDEN");
    }
}
