package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkspaceLimitTest {
    private static final String SANDBOXES = "/api/v1/sandboxes";
    private static final String WORKSPACES = "/api/v1/workspaces";

    private final TestServer server = TestServer.with(Map.of("bivouac.workspaces-per-project", 1));
    private final Client client = server.newProject();

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void aProjectKeepsNoMoreWorkspacesThanItMay() {
        var ids = new String[] {client.newSandbox(), client.newSandbox(), client.newSandbox()};
        var outcome = client.post(
                SANDBOXES + "/batch-delete",
                "{\"ids\":[\"%s\",\"%s\",\"%s\"],\"keepWorkspace\":true}".formatted((Object[]) ids));
        assertThat(outcome.json("/succeeded").size()).as(outcome.body()).isEqualTo(1);
        assertThat(outcome.text("/failed/0/error/name")).isEqualTo("CONFLICT");
        assertThat(client.get(WORKSPACES).json("/items").size()).isEqualTo(1);

        var left = SANDBOXES + "/" + outcome.text("/failed/0/id");
        var refused = client.delete(left + "?keepWorkspace=true");
        assertThat(refused.problem()).isEqualTo("409 1004 CONFLICT");
        assertThat(refused.text("/detail")).startsWith("The project keeps 1 workspaces, which is its limit");
        assertThat(client.get(left).text("/state")).isEqualTo("running");

        client.delete(WORKSPACES + "/" + outcome.text("/succeeded/0"));
        assertThat(client.delete(left + "?keepWorkspace=true").status()).isEqualTo(204);
        assertThat(client.delete(SANDBOXES + "/" + outcome.text("/failed/1/id")).status())
                .isEqualTo(204);
    }
}
