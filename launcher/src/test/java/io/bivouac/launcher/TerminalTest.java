package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Terminals into real sandboxes, through the whole server, as a page would open them. */
class TerminalTest {
    private static final Map<String, String> SETTINGS = Map.of("BIVOUAC_TERMINAL_LOOK_EVERY", "500ms");

    @Test
    void aTerminalOutlivesItsServer() throws Exception {
        try (var site = CrashSite.open(SETTINGS)) {
            var sandbox = site.api().created();
            var pty = Api.json(Api.expect(201, site.api().send("POST", "/api/v1/sandboxes/" + sandbox + "/pty", "{}")));
            var path = "/api/v1/sandboxes/" + sandbox + "/pty/" + pty.get("id");
            var client = TerminalClient.open(
                    String.valueOf(pty.get("websocketUrl")) + "?source=me", TerminalClient.protocols(pty));
            client.type(1, "tty; printf '\\033[?1049h\\033[5;9Hdrawn-%d' $((6*7)); read x; echo still-$((x+1))\n");
            client.await(seen -> seen.contains("/dev/pts/") && seen.contains("\u001b[?1049h\u001b[5;9Hdrawn-42"));

            site.kill();
            site.start();

            var again = Api.json(Api.expect(200, site.api().send("POST", path + "/ticket", "")));
            var screen = TerminalClient.open(
                    "ws" + site.api().url().substring(4) + path + "/ws?source=me", TerminalClient.protocols(again));
            screen.await(seen -> seen.contains("\u001b[?1049h") && seen.contains("drawn-42"));
            screen.type(2, "1\n");
            screen.await(seen -> seen.contains("still-2"));
            Api.expect(204, site.api().send("DELETE", path, ""));
            screen.awaitClose();
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

    private static boolean isEmpty(CrashSite site) {
        try {
            return site.api().sandboxes().isEmpty();
        } catch (java.io.IOException | InterruptedException failed) {
            return false;
        }
    }
}
