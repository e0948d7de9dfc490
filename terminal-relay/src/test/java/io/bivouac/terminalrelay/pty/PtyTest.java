package io.bivouac.terminalrelay.pty;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.AskedUpgrade;
import io.bivouac.agentlink.testing.HandshakeRefused;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxmodel.SandboxId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PtyTest {
    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.terminal.per-user", 10_000, "bivouac.terminal.look-every", "300ms"));
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    private static String pty(Map<String, ?> request) {
        var made = relay.http().post(id + "/pty", request);
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made.text("id");
    }

    private static Socket attach(String pty, String query) {
        return relay.http().socket(id + "/pty/" + pty + "/ws" + query, Socket.BINARY);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes());
    }

    @Test
    void aPtyTellsWhereItIs() {
        var made = relay.http().post(id + "/pty", Map.of("cols", 80, "rows", 24));
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("id")).startsWith("pty-");
        assertThat(made.text("websocketUrl")).startsWith("ws://").endsWith("/pty/" + made.text("id") + "/ws");
        assertThat(made.body().get("protocols").get(0).getStringValue()).isEqualTo(Socket.BINARY);
        assertThat(made.body().get("protocols").get(1).getStringValue()).startsWith("bivouac.ticket.");
    }

    @Test
    void anAddressWithATicketWorksOnceByItself() throws Exception {
        var made = relay.http().post(id + "/pty", Map.of("ticketInUrl", true));
        var url = made.text("websocketUrl");
        assertThat(url).contains("/pty/" + made.text("id") + "/ws?ticket=");
        try (var socket = Socket.open(url, Map.of())) {
            socket.send("{\"type\":\"input\",\"data\":\"" + base64("echo pty-$((40+2))\n") + "\"}");
            Wait.until(() -> decoded(socket).contains("pty-42"));
        }
        var again = AskedUpgrade.of(url.replaceFirst("^ws", "http"));
        assertThat(again.status()).isEqualTo(401);
        var ticket = url.substring(url.indexOf('=') + 1);
        assertThat(String.valueOf(again)).doesNotContain(ticket);

        var fresh = relay.http().post(id + "/pty/" + made.text("id") + "/ticket?ticketInUrl=true", Map.of());
        try (var socket = Socket.open(fresh.text("websocketUrl"), Map.of())) {
            socket.awaitMessage("output");
        }
    }

    @Test
    void jsonClientsTypeAndSeeBase64() {
        var pty = pty(Map.of());
        try (var socket = relay.http().socket(id + "/pty/" + pty + "/ws")) {
            socket.send("{\"type\":\"input\",\"data\":\"" + base64("echo pty-$((40+2))\n") + "\"}");
            socket.awaitMessage("output");
            Wait.until(() -> decoded(socket).contains("pty-42"));
            socket.send("{\"type\":\"resize\",\"cols\":120,\"rows\":40}");
            socket.send("{\"type\":\"input\",\"data\":\"" + base64("stty size; exit 7\n") + "\"}");
            assertThat(socket.awaitMessage("exit").get("exitCode").getIntValue())
                    .isEqualTo(7);
            assertThat(decoded(socket)).contains("40 120");
            assertThat(socket.awaitClose()).isEqualTo(1000);
        }
        Wait.until(() -> relay.http().get(id + "/pty/" + pty).text("status").equals("terminated"));
    }

    @Test
    void aRevokedKeyClosesWhatItHasOpened() {
        var keys = relay.bean(ApiKeys.class);
        var made = keys.make(relay.caller(), "leaver", Role.ADMIN, false);
        var pty = pty(Map.of());
        var path = id + "/pty/" + pty + "/ws";
        try (var stays = relay.http().socket(path, Socket.BINARY);
                var goes = relay.http(made.text().value()).socket(path, Socket.BINARY)) {
            Wait.until(() -> !goes.frames().isEmpty());
            keys.revoke(relay.caller(), made.key().id());
            assertThat(goes.awaitClose()).isEqualTo(1008);
            assertThat(stays.isOpen()).isTrue();
        }
    }

    @Test
    void aPlainRequestForTheWebSocketIsNobodysComing() {
        var pty = pty(Map.of("command", "echo first-words; cat"));
        var plain = relay.http().get(id + "/pty/" + pty + "/ws");
        assertThat(plain.status()).isEqualTo(400);
        assertThat(plain.text("detail")).contains("Upgrade: websocket");
        try (var socket = attach(pty, "")) {
            // Whoever comes first has the output from its first byte on, and not the screen.
            assertThat(socket.awaitFrame(5).json().get("from").getIntValue()).isZero();
            socket.awaitOutput(seen -> seen.contains("first-words"));
        }
    }

    @Test
    void nothingIsPassedOnBeforeTheKeyIsLookedUpAgain() {
        var keys = relay.bean(ApiKeys.class);
        var made = keys.make(relay.caller(), "leaver", Role.ADMIN, false);
        var leaver = relay.http(made.text().value());
        var path = id + "/pty/" + pty(Map.of("command", "cat")) + "/ws";
        try (var stays = relay.http().socket(path, Socket.BINARY)) {
            stays.type(1, "before\n").awaitOutput(seen -> seen.contains("before\r\nbefore"));
            leaver.get(id + "/pty");
            var revocation = "; UPDATE api_keys SET revoked_at = now() WHERE id = '%s'"
                    .formatted(made.key().id());
            var late = new ArrayList<Socket>();
            relay.whileLocked("api_keys" + revocation, () -> {
                var goes = leaver.socket(path, Socket.BINARY);
                late.add(goes);
                goes.type(1, "stolen\n");
                stays.type(2, "after\n").awaitOutput(seen -> seen.contains("after\r\nafter"));
            });
            try (var goes = late.getFirst()) {
                assertThat(goes.awaitClose()).isEqualTo(1008);
            }
            stays.type(3, "last\n").awaitOutput(seen -> seen.contains("last\r\nlast"));
            assertThat(stays.output()).doesNotContain("stolen");
        }
    }

    private static String decoded(Socket socket) {
        var all = new StringBuilder();
        for (var message : socket.messages()) {
            if (message.get("type").getStringValue().equals("output")) {
                all.append(new String(
                        Base64.getDecoder().decode(message.get("data").getStringValue())));
            }
        }
        return all.toString();
    }

    @Test
    void binaryClientsTypeAndSeeBytes() {
        try (var socket = attach(pty(Map.of("command", "cat")), "")) {
            assertThat(socket.protocol()).isEqualTo(Socket.BINARY);
            var attached = socket.awaitFrame(5).json();
            assertThat(attached.get("type").getStringValue()).isEqualTo("attached");
            assertThat(attached.get("role").getStringValue()).isEqualTo("driver");
            socket.type(1, "grüße\n").awaitOutput(seen -> seen.equals("grüße\r\ngrüße\r\n"));
            socket.type(2, "\u0004");
            assertThat(socket.awaitFrame(2).json().get("exitCode").getIntValue())
                    .isZero();
            assertThat(socket.awaitClose()).isEqualTo(1000);
        }
    }

    @Test
    void aSignalReachesTheForeground() {
        try (var socket = attach(
                pty(Map.of("command", "trap 'echo caught; exit 3' INT; echo ready; while :; do sleep 0.1; done")),
                "")) {
            socket.awaitOutput(seen -> seen.contains("ready"));
            socket.frame(67, 2, "");
            socket.awaitOutput(seen -> seen.contains("caught"));
            assertThat(socket.awaitFrame(2).json().get("exitCode").getIntValue())
                    .isEqualTo(3);
        }
    }

    @Test
    void whatWasMissedComesAfterTheOffset() {
        var pty = pty(Map.of("command", "echo one; read x; echo two-$x; read y"));
        long seen;
        try (var socket = attach(pty, "?source=me")) {
            socket.awaitOutput(text -> text.equals("one\r\n"));
            seen = socket.outputBytes().length;
            socket.cut();
        }
        try (var other = attach(pty, "?source=other")) {
            other.type(1, "!\n");
            other.awaitFrame(7);
            other.awaitOutput(text -> text.contains("two-!"));
        }
        try (var again = attach(pty, "?source=me&from=" + seen)) {
            again.awaitOutput(text -> text.equals("!\r\ntwo-!\r\n"));
        }
    }

    @Test
    void resumingInsideAConnectionStartsOver() {
        var pty = pty(Map.of("command", "printf abc; cat"));
        try (var socket = attach(pty, "")) {
            socket.awaitOutput(seen -> seen.equals("abc"));
            socket.frame(69, 0, "{\"type\":\"resume\",\"from\":1}");
            socket.awaitOutput(seen -> seen.equals("abcbc"));
        }
    }

    @Test
    void inputIsAppliedOnce() {
        var pty = pty(Map.of("command", "stty -echo; cat"));
        try (var socket = attach(pty, "?source=me")) {
            socket.type(1, "a\n").type(2, "b\n").type(2, "b\n");
            socket.awaitOutput(seen -> seen.equals("a\r\nb\r\n"));
            socket.cut();
        }
        try (var again = attach(pty, "?source=me&from=0")) {
            assertThat(again.awaitFrame(5).json().get("applied").getLongValue()).isEqualTo(2);
            again.type(1, "a\n").type(2, "b\n").type(3, "c\n");
            again.awaitOutput(seen -> seen.contains("c"));
            assertThat(again.output()).isEqualTo("a\r\nb\r\nc\r\n");
        }
    }

    @Test
    void aViewerSeesButCannotType() {
        var pty = pty(Map.of("command", "cat"));
        try (var driver = attach(pty, "");
                var viewer = attach(pty, "?role=viewer&from=0")) {
            viewer.type(1, "no\n");
            assertThat(viewer.awaitFrame(3).json().get("name").getStringValue()).isEqualTo("FORBIDDEN");
            driver.type(1, "yes\n");
            viewer.awaitOutput(seen -> seen.equals("yes\r\nyes\r\n"));
        }
    }

    @Test
    void creditBoundsWhatIsSent() {
        var pty = pty(Map.of("command", "stty -onlcr; read x; printf %0100000d 0; read y"));
        try (var socket = attach(pty, "?credit=10")) {
            socket.type(1, "\n");
            Wait.until(() -> socket.outputBytes().length == 10);
            socket.frame(68, 50_000, "");
            Wait.until(() -> socket.outputBytes().length == 50_010);
            socket.frame(68, 1_000_000, "");
            Wait.until(() -> socket.outputBytes().length >= 100_001);
        }
    }

    @Test
    void badFramesAreAnsweredAndTheTerminalGoesOn() {
        try (var socket = attach(pty(Map.of("command", "cat")), "")) {
            socket.sendBytes(new byte[] {1, 2, 3});
            socket.frame(99, 0, "");
            socket.frame(66, 0, "{\"cols\":0,\"rows\":5}");
            socket.frame(66, 0, "nonsense");
            Wait.until(() ->
                    socket.frames().stream().filter(frame -> frame.type() == 3).count() == 4);
            socket.type(1, "still\n").awaitOutput(seen -> seen.contains("still\r\nstill"));
        }
    }

    @Test
    void aFrameThatIsTooLargeEndsTheConnectionButNotTheTerminal() {
        var pty = pty(Map.of("command", "cat"));
        try (var socket = attach(pty, "")) {
            socket.awaitFrame(5);
            // The server may have closed before all of it was sent.
            socket.trySend(new byte[200_000]);
            assertThat(socket.awaitClose()).isIn(1009, -1);
        }
        try (var again = attach(pty, "")) {
            again.type(1, "on\n").awaitOutput(seen -> seen.contains("on\r\non"));
        }
    }

    @Test
    void fragmentsDoNotGatherWithoutEnd() {
        try (var socket = attach(pty(Map.of("command", "cat")), "")) {
            socket.awaitFrame(5);
            for (int i = 0; i < 10 && socket.isOpen(); i++) {
                socket.trySendPart(new byte[50_000]);
            }
            assertThat(socket.awaitClose()).isIn(1009, -1);
        }
    }

    @Test
    void deletingEndsItForAll() {
        var pty = pty(Map.of());
        try (var socket = attach(pty, "")) {
            socket.awaitFrame(5);
            assertThat(relay.http().delete(id + "/pty/" + pty).status()).isEqualTo(204);
            socket.awaitFrame(2);
            assertThat(socket.awaitClose()).isEqualTo(1000);
        }
        Wait.until(() -> "user".equals(relay.http().get(id + "/pty/" + pty).text("endReason")));
    }

    @Test
    void aPtyIsResizedByRequest() {
        var pty = pty(Map.of());
        try (var socket = attach(pty, "")) {
            assertThat(relay.http()
                            .post(id + "/pty/" + pty + "/resize", Map.of("cols", 101, "rows", 33))
                            .status())
                    .isEqualTo(200);
            socket.awaitFrame(frame -> frame.type() == 5 && frame.text().contains("\"resized\""));
            socket.type(1, "stty size\n").awaitOutput(seen -> seen.contains("33 101"));
        }
    }

    @Test
    void aProgramFindsTheTermThatWasAskedFor() {
        try (var socket = attach(pty(Map.of("command", "echo $TERM", "envs", Map.of("TERM", "vt100"))), "")) {
            socket.awaitOutput(seen -> seen.equals("vt100\r\n"));
        }
        try (var socket = attach(pty(Map.of("command", "echo $TERM")), "")) {
            socket.awaitOutput(seen -> seen.equals("xterm-256color\r\n"));
        }
    }

    @Test
    void aRecordingIsInItsOwnSandboxOnly() {
        var pty = pty(Map.of("record", true));
        var elsewhere = relay.sandbox();
        // It is begun a moment after the terminal.
        Wait.until(() ->
                relay.http().open(id + "/pty/" + pty + "/recording", "*/*").statusCode() == 200);
        assertThat(relay.http()
                        .open(elsewhere + "/pty/" + pty + "/recording", "*/*")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void anApproverLooksAndHasToBeOne() {
        var pty = pty(Map.of("command", "cat"));
        try (var approver = attach(pty, "?role=approver")) {
            var attached = approver.awaitFrame(5).json();
            assertThat(attached.get("role").getStringValue()).isEqualTo("approver");
            approver.type(1, "no\n");
            assertThat(approver.awaitFrame(3).json().get("name").getStringValue())
                    .isEqualTo("FORBIDDEN");
        }
        var viewer = relay.bean(ApiKeys.class).make(relay.caller(), "looker", Role.VIEWER, false);
        var http = relay.http(viewer.text().value());
        assertThat(HandshakeRefused.statusOf(() -> http.socket(id + "/pty/" + pty + "/ws?role=approver")))
                .isEqualTo(403);
    }

    @Test
    void whatCannotBeIsRefused() {
        var http = relay.http();
        assertThat(http.post(id + "/pty", Map.of("cols", 0)).number("code")).isEqualTo(1003);
        assertThat(http.post(id + "/pty", Map.of("rows", 1001)).number("code")).isEqualTo(1003);
        assertThat(http.post(id + "/pty", Map.of("command", "x", "cwd", "/nowhere"))
                        .number("code"))
                .isEqualTo(4002);
        assertThat(http.get(id + "/pty/pty-00000000000000000000000000").number("code"))
                .isEqualTo(4101);
        assertThat(http.delete(id + "/pty/nonsense").number("code")).isEqualTo(4101);
        assertThat(HandshakeRefused.statusOf(() -> attach("pty-00000000000000000000000000", "")))
                .isEqualTo(404);
        var pty = pty(new HashMap<>());
        assertThat(HandshakeRefused.statusOf(() -> attach(pty, "?from=-3"))).isEqualTo(400);
        assertThat(HandshakeRefused.statusOf(() -> attach(pty, "?role=king"))).isEqualTo(400);
        assertThat(HandshakeRefused.statusOf(() -> relay.http("bvk_wrong").socket(id + "/pty/" + pty + "/ws")))
                .isEqualTo(401);
    }

    @Test
    void aFieldThatIsNotKnownIsNamedRatherThanIgnored() {
        var answer = relay.http().post(id + "/pty", Map.of("shellz", "bash"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.number("code")).isEqualTo(1003);
        assertThat(answer.text("detail")).contains("shellz");
    }
}
