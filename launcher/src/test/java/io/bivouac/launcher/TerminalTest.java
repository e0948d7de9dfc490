package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Terminals into real sandboxes, through the whole server, as a page would open them. */
class TerminalTest {
    private static final Map<String, String> SETTINGS = Map.of("BIVOUAC_TERMINAL_LOOK_EVERY", "500ms");

    @Test
    void vimOutlivesItsServer() throws Exception {
        assertThat(Path.of("/usr/bin/vim")).as("apt-get install vim").exists();
        try (var site = CrashSite.open(SETTINGS)) {
            var sandbox = site.api().created();
            var pty = Api.json(Api.expect(201, site.api().send("POST", "/api/v1/sandboxes/" + sandbox + "/pty", """
                    {"cols": 80, "rows": 24, "command": "exec vim -u NONE -N -c 'set laststatus=2' poem"}""")));
            var path = "/api/v1/sandboxes/" + sandbox + "/pty/" + pty.get("id");
            var client = TerminalClient.open(
                    String.valueOf(pty.get("websocketUrl")) + "?source=me", TerminalClient.protocols(pty));
            client.awaitPicture("~", "poem");
            client.type(1, "ia fire\rin the ");
            var before = client.awaitPicture(
                    "\"a fire\",\n  \"in the\"", "\"poem [+]\"", "\"-- INSERT --\"", "\"buffer\": \"alternate\"");

            site.kill();
            site.start();

            var again = Api.json(Api.expect(200, site.api().send("POST", path + "/ticket", "")));
            var late = TerminalClient.open(
                    "ws" + site.api().url().substring(4) + path + "/ws?source=me", TerminalClient.protocols(again));
            late.await(seen -> !seen.isEmpty());
            assertThat(late.picture()).isEqualTo(before);
            late.type(2, "snow\u001b");
            late.awaitPicture("\"a fire\",\n  \"in the snow\"", "\"poem [+]\"");
            late.type(3, ":wq\r");
            late.awaitClose();
            assertThat(Api.text(Api.expect(200, site.api().run(sandbox, "cat poem", "")), "stdout"))
                    .isEqualTo("a fire\nin the snow\n");
            Api.expect(204, site.api().delete(sandbox));
        }
    }

    @Test
    void aSessionWithoutASandboxGetsOneThatEndsWithIt() throws Exception {
        try (var site = CrashSite.open(SETTINGS)) {
            var made = Api.json(Api.expect(
                    201, site.api().send("POST", "/-/terminal/sessions", "{\"command\":\"cat\",\"timeout\":600}")));
            assertThat(site.api().sandboxes()).containsOnlyKeys(String.valueOf(made.get("sandboxId")));
            var client = TerminalClient.open(String.valueOf(made.get("wsUrl")), TerminalClient.protocols(made));
            client.type(1, "hello\n");
            client.await(seen -> seen.equals("hello\r\nhello\r\n"));
            Api.expect(204, site.api().send("DELETE", "/-/terminal/sessions/" + made.get("sessionId"), ""));
            client.awaitClose();
            ServerProcess.await("the sandbox is gone", () -> isEmpty(site));
        }
    }

    @Test
    void aDeletedSandboxesTerminalsAndAgentEndBeforeIt() throws Exception {
        try (var site = CrashSite.open(Map.of("BIVOUAC_TERMINAL_LOOK_EVERY", "10m"))) {
            var sandbox = site.api().created();
            Api.expect(
                    201,
                    site.api().send("POST", "/api/v1/sandboxes/" + sandbox + "/pty", "{\"command\": \"exec cat\"}"));
            Api.expect(200, site.api().stop(sandbox));
            Api.expect(200, site.api().send("POST", "/api/v1/sandboxes/" + sandbox + "/start", ""));
            Api.expect(
                    201,
                    site.api().send("POST", "/api/v1/sandboxes/" + sandbox + "/pty", "{\"command\": \"exec cat\"}"));
            Api.expect(204, site.api().delete(sandbox));
            assertThat(site.database().eventsOf(sandbox))
                    .containsExactly(
                            "sandbox.created",
                            "sandbox.starting",
                            "agent.connected",
                            "sandbox.running",
                            "terminal.started",
                            "terminal.ended",
                            "agent.disconnected",
                            "sandbox.stopped",
                            "sandbox.starting",
                            "agent.connected",
                            "sandbox.running",
                            "terminal.started",
                            "terminal.ended",
                            "agent.disconnected",
                            "sandbox.deleted");
        }
    }

    private static boolean isEmpty(CrashSite site) {
        try {
            return site.api().sandboxes().isEmpty();
        } catch (java.io.IOException | InterruptedException failed) {
            return false;
        }
    }
}
