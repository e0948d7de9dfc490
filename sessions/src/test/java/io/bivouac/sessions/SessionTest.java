package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.HandshakeRefused;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.outbox.EventRow;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxmodel.SandboxId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionTest {
    private static final String SESSIONS = "/-/terminal/sessions";

    private TestRelay relay;
    private SandboxId id;
    private RealAgent agent;
    private Http http;

    @BeforeEach
    void start() {
        relay = TestRelay.start(Map.of(
                "bivouac.terminal.look-every",
                "200ms",
                "bivouac.terminal.kill-after",
                "500ms",
                "bivouac.terminal.session-idle-timeout",
                "3s",
                "bivouac.origins",
                "https://console.example"));
        http = relay.newcomer();
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterEach
    void stop() {
        agent.close();
        relay.close();
    }

    private String session(Object... more) {
        var request = new java.util.HashMap<String, Object>(Map.of("sandboxId", id.value()));
        for (int i = 0; i < more.length; i += 2) {
            request.put((String) more[i], more[i + 1]);
        }
        var made = http.post(SESSIONS, request);
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made.text("sessionId");
    }

    private Socket attach(String session, String... protocols) {
        return http.socket(SESSIONS + "/" + session + "/ws", protocols);
    }

    @Test
    void aSessionSaysItsProgramsNumberWhileItRuns() {
        var made = http.post(
                SESSIONS,
                Map.of("sandboxId", id.value(), "command", "sh", "args", List.of("-c", "echo number $$.; exec cat")));
        var pid = made.number("ptyPid");
        var session = SESSIONS + "/" + made.text("sessionId");
        try (var socket = attach(made.text("sessionId"))) {
            socket.awaitText(seen -> seen.contains("number " + pid + "."));
        }
        assertThat(http.get(session).number("ptyPid")).isEqualTo(pid);
        assertThat(http.get(session).body().get("permissions")).isNull();
        assertThat(http.get(SESSIONS).body().get("items").get(0).get("ptyPid").getIntValue())
                .isEqualTo(pid);
        assertThat(http.delete(session).status()).isEqualTo(204);
        Wait.until(() -> http.get(session).text("status").equals("terminated"));
        assertThat(http.get(session).body().get("ptyPid")).isNull();
    }

    @Test
    void aSessionLivesFromItsPostToItsDelete() {
        var made = http.post(SESSIONS, Map.of("sandboxId", id.value(), "command", "cat", "timeout", 60));
        assertThat(made.text("status")).isEqualTo("active");
        assertThat(made.text("wsUrl")).endsWith(SESSIONS + "/" + made.text("sessionId") + "/ws");
        assertThat(made.body().get("expiresAt")).isNotNull();
        try (var socket = attach(made.text("sessionId"))) {
            socket.send("{\"type\":\"input\",\"data\":\"hej\\r\"}").awaitText(seen -> seen.equals("hej\r\nhej\r\n"));
            socket.send("{\"type\":\"ping\"}").awaitMessage("pong");
            assertThat(http.delete(SESSIONS + "/" + made.text("sessionId")).status())
                    .isEqualTo(204);
            var exit = socket.awaitMessage("exit");
            assertThat(exit.get("code").getIntValue()).isLessThan(0);
            assertThat(exit.get("signal").getStringValue()).startsWith("SIG");
            socket.awaitClose();
        }
        Wait.until(() ->
                http.get(SESSIONS + "/" + made.text("sessionId")).text("status").equals("terminated"));
        assertThat(HandshakeRefused.statusOf(() -> attach(made.text("sessionId"))))
                .isEqualTo(410);
        Wait.until(() -> types().contains("terminal.ended"));
        assertThat(types()).containsSubsequence("terminal.started", "terminal.ended");
        var acts = relay.bean(Audit.class).list(relay.caller().project(), Long.MAX_VALUE, 50).items().stream()
                .filter(row -> row.subject().equals(made.text("sessionId")))
                .map(row -> row.action())
                .toList();
        assertThat(acts).containsExactly("terminal.ended", "terminal.joined", "terminal.started");
        assertThat(relay.bean(Audit.class).firstBroken(relay.caller().project()))
                .isEmpty();
    }

    private List<String> types() {
        return relay.bean(Outbox.class).history(id.value(), 0, 100).items().stream()
                .map(EventRow::type)
                .toList();
    }

    @Test
    void aSignalByNameReachesTheForeground() {
        var session = session(
                "command", "sh", "args", List.of("-c", "trap 'exit 9' INT; echo up; while :; do sleep 0.1; done"));
        try (var socket = attach(session)) {
            socket.awaitText(seen -> seen.contains("up"));
            socket.send("{\"type\":\"signal\",\"signal\":\"SIGINT\"}");
            assertThat(socket.awaitMessage("exit").get("code").getIntValue()).isEqualTo(9);
        }
    }

    @Test
    void environmentAndFolderAreTheSessionsOwn() {
        var session = session(
                "command",
                "sh",
                "args",
                List.of("-c", "echo $COLOUR; pwd"),
                "workdir",
                "/tmp",
                "env",
                Map.of("COLOUR", "red"));
        try (var socket = attach(session)) {
            socket.awaitMessage("exit");
            assertThat(socket.text()).isEqualTo("red\r\n/tmp\r\n");
        }
    }

    @Test
    void anIdleSessionEndsButNotOneThatWorks() {
        var working = session("command", "sh", "args", List.of("-c", "sleep 60; echo"));
        var idle = session();
        try (var socket = attach(idle)) {
            assertThat(socket.awaitMessage("error").get("code").getStringValue())
                    .isEqualTo("SESSION_EXPIRED");
            socket.awaitMessage("exit");
            socket.awaitClose();
        }
        assertThat(http.get(SESSIONS + "/" + idle).text("endReason")).isEqualTo("idle");
        assertThat(http.get(SESSIONS + "/" + working).text("status")).isNotEqualTo("terminated");
    }

    @Test
    void aSessionEndsWhenItsTimeIsOver() {
        var session =
                session("command", "sh", "args", List.of("-c", "while :; do echo; sleep 0.2; done"), "timeout", 1);
        try (var socket = attach(session)) {
            var error = socket.awaitMessage("error");
            assertThat(error.get("code").getStringValue()).isEqualTo("SESSION_EXPIRED");
            assertThat(error.get("details").get("sessionId").getStringValue()).isEqualTo(session);
        }
        assertThat(HandshakeRefused.statusOf(() -> attach(session))).isEqualTo(410);
    }

    @Test
    void thereIsALimitForEachUser() {
        for (int i = 0; i < 5; i++) {
            session("command", "cat");
        }
        var refused = http.post(SESSIONS, Map.of("sandboxId", id.value()));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("name")).isEqualTo("RESOURCE_LIMIT");
        assertThat(refused.text("detail")).startsWith("There are 5 terminal sessions of this caller");
        // A limit of sessions is none of other terminals.
        assertThat(http.post(id + "/pty", Map.of()).status()).isEqualTo(201);
        assertThat(http.get(SESSIONS + "?limit=3").body().get("items").size()).isEqualTo(3);
    }

    @Test
    void aTicketOpensItsSessionOnceAndForItsPageOnly() {
        var session = session("command", "cat");
        var url = "ws" + http.base().substring(4) + SESSIONS + "/" + session + "/ws";
        var ticket = ticket(session);
        try (var socket = Socket.open(url, Map.of(), "bivouac.json", ticket)) {
            assertThat(socket.protocol()).isEqualTo("bivouac.json");
            socket.send("{\"type\":\"ping\"}").awaitMessage("pong");
        }
        assertThat(HandshakeRefused.statusOf(() -> Socket.open(url, Map.of(), "bivouac.json", ticket)))
                .isEqualTo(401);
        var other = session("command", "cat");
        var foreign = ticket(other);
        assertThat(HandshakeRefused.statusOf(() -> Socket.open(url, Map.of(), "bivouac.json", foreign)))
                .isEqualTo(401);
        var third = ticket(session);
        assertThat(HandshakeRefused.statusOf(
                        () -> Socket.open(url, Map.of("Origin", "https://evil.example"), "bivouac.json", third)))
                .isEqualTo(403);
        try (var socket = Socket.open(url, Map.of("Origin", "https://console.example"), "bivouac.json", third)) {
            socket.send("{\"type\":\"ping\"}").awaitMessage("pong");
        }
    }

    private String ticket(String session) {
        var given = http.post(SESSIONS + "/" + session + "/ticket", Map.of());
        return given.body().get("protocols").get(1).getStringValue();
    }

    @Test
    void aRecordingShowsWhatWasSeen() throws Exception {
        var session = session(
                "command", "sh", "args", List.of("-c", "echo begin; read x; echo grüße; exit 4"), "record", true);
        try (var socket = attach(session)) {
            socket.awaitText(seen -> seen.contains("begin"));
            socket.send("{\"type\":\"resize\",\"cols\":90,\"rows\":30}");
            socket.send("{\"type\":\"input\",\"data\":\"\\r\"}");
            socket.awaitMessage("exit");
        }
        Wait.until(() -> cast(session).endsWith(" \"x\", \"4\"]"), () -> cast(session));
        var lines = cast(session).lines().toList();
        assertThat(lines.getFirst()).startsWith("{\"version\":3,\"term\":{\"cols\":80,\"rows\":24");
        assertThat(cast(session))
                .contains("begin\\r\\n")
                .contains("grüße\\r\\n")
                .contains("\"r\", \"90x30\"");
        assertThat(lines.stream().skip(1)).allMatch(line -> line.matches("\\[\\d+\\.\\d{6}, \"[orxm]\", \".*\"]"));
        var unrecorded = session("command", "cat");
        assertThat(http.get(SESSIONS + "/" + unrecorded + "/recording").number("code"))
                .isEqualTo(4205);
    }

    private String cast(String session) {
        try (var body = http.open(SESSIONS + "/" + session + "/recording", "application/x-asciicast")
                .body()) {
            return new String(body.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip();
        } catch (java.io.IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    @Test
    void whatIsNotEnforcedIsRefused() {
        var box = id.value();
        assertThat(http.post(SESSIONS, Map.of("sandboxId", box, "publicKey", "x"))
                        .number("code"))
                .isEqualTo(1003);
        assertThat(http.post(SESSIONS, Map.of("sandboxId", box, "env", Map.of("A", Map.of("@ref", "/x"))))
                        .number("code"))
                .isEqualTo(1003);
        assertThat(http.post(SESSIONS, Map.of("sandboxId", box, "timeout", 0)).number("code"))
                .isEqualTo(1003);
        assertThat(http.post(SESSIONS, Map.of("sandboxId", box, "timeout", 86401))
                        .number("code"))
                .isEqualTo(1003);
        assertThat(http.post(SESSIONS, Map.of("sandboxId", "nonsense")).number("code"))
                .isEqualTo(2001);
        assertThat(http.get(SESSIONS + "/sess_00000000000000000000000000").text("name"))
                .isEqualTo("SESSION_NOT_FOUND");
        var notStarted = http.post(SESSIONS, Map.of("sandboxId", box, "command", "/no/such/thing"));
        assertThat(notStarted.status()).isEqualTo(500);
        assertThat(notStarted.text("name")).isEqualTo("PTY_ERROR");
    }

    @Test
    void aFieldThatIsNotKnownIsNamedRatherThanIgnored() {
        var answer = relay.http().post("/-/terminal/sessions", Map.of("shellz", "bash"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.number("code")).isEqualTo(1003);
        assertThat(answer.text("detail")).contains("shellz");
    }
}
