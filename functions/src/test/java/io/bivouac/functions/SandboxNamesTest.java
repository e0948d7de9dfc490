package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SandboxNamesTest {
    private static final String SANDBOXES = "/api/v1/sandboxes/";

    private final TestServer server = TestServer.shared();
    private final Client client = server.newProject();

    private String make(String name) {
        return client.post("/api/v1/sandboxes", "{\"template\":\"default\",\"name\":\"" + name + "\"}")
                .text("/id");
    }

    @Test
    void aNameStandsForItsSandboxInEveryPath() {
        var id = make("web app");
        assertThat(client.get(SANDBOXES + "web%20app").text("/id")).isEqualTo(id);
        assertThat(client.get(SANDBOXES + "web%20app/events").text("/items/0/subject"))
                .isEqualTo(id);
        assertThat(client.post(SANDBOXES + "web%20app/extend", "{\"seconds\":1}")
                        .text("/id"))
                .isEqualTo(id);
        assertThat(client.post(SANDBOXES + "web%20app/stop", "").text("/state")).isEqualTo("stopped");
        assertThat(client.delete(SANDBOXES + "web%20app").status()).isEqualTo(204);
        assertThat(client.get(SANDBOXES + "web%20app").problem()).isEqualTo("404 2001 SANDBOX_NOT_FOUND");
    }

    @Test
    void theBeginningOfAnIdIsEnoughWhenOnlyOneFits() {
        var id = client.newSandbox();
        assertThat(client.get(SANDBOXES + id.substring(0, id.length() - 3)).text("/id"))
                .isEqualTo(id);
        assertThat(client.get(SANDBOXES + "sbx-").problem()).isEqualTo("404 2001 SANDBOX_NOT_FOUND");
        assertThat(server.newProject()
                        .get(SANDBOXES + id.substring(0, id.length() - 3))
                        .problem())
                .isEqualTo("404 2001 SANDBOX_NOT_FOUND");
    }

    @Test
    void aNameOfSeveralIsRefusedWithTheirIds() {
        var first = make("twin");
        var second = make("twin");
        var refused = client.delete(SANDBOXES + "twin");
        assertThat(refused.problem()).isEqualTo("404 2001 SANDBOX_NOT_FOUND");
        assertThat(refused.text("/detail"))
                .isEqualTo("There are 2 sandboxes named twin: " + second + ", " + first + ". Use an id.");
        assertThat(refused.text("/details/candidates/0")).isEqualTo(second);
        client.delete(SANDBOXES + first);
        assertThat(client.get(SANDBOXES + "twin").text("/id")).isEqualTo(second);
    }

    @Test
    void aNameThatLooksLikeAnotherOnesIdIsThatOne() {
        var id = client.newSandbox();
        make(id);
        assertThat(client.get(SANDBOXES + id).text("/id")).isEqualTo(id);
    }

    @Test
    void severalAreDeletedByName() {
        make("one");
        var id = client.newSandbox();
        var deleted = client.post("/api/v1/sandboxes/batch-delete", "{\"ids\":[\"one\",\"" + id + "\",\"none\"]}");
        assertThat(deleted.text("/succeeded/0")).isEqualTo("one");
        assertThat(deleted.text("/succeeded/1")).isEqualTo(id);
        assertThat(deleted.text("/failed/0/error/name")).isEqualTo("SANDBOX_NOT_FOUND");
    }
}
