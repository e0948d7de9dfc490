package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.AskedUpgrade;
import io.bivouac.agentlink.testing.CutLine;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.NoiseClient;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.SealedSocket;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.terminalrelay.sealed.Sealing;
import java.io.IOException;
import java.security.KeyPair;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SealedTerminalTest {
    private static final String SESSIONS = "/-/terminal/sessions";

    private final KeyPair keys = NoiseClient.newKeys();
    private TestRelay relay;
    private SandboxId id;
    private RealAgent agent;
    private Http http;

    @BeforeEach
    void start() {
        relay = TestRelay.start(Map.of("bivouac.terminal.per-user", 10_000, "bivouac.terminal.look-every", "200ms"));
        http = relay.newcomer();
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterEach
    void stop() {
        agent.close();
        relay.close();
    }

    private String key() {
        return Base64.getEncoder().encodeToString(NoiseClient.publicKey(keys));
    }

    private Http.Answer pty(String command) {
        var made = http.post(id + "/pty", Map.of("command", command, "publicKey", key()));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made;
    }

    private SealedSocket attach(Http.Answer pty, String query) {
        return attach(http, id, pty, query);
    }

    private SealedSocket attach(Http caller, SandboxId sandbox, Http.Answer pty, String query) {
        var socket = caller.socket(sandbox + "/pty/" + pty.text("id") + "/ws" + query, Socket.BINARY);
        return new SealedSocket(socket, true, keys, pty.text("hostKey"), pty.text("id"));
    }

    @Test
    void aSealedSessionPassesAtTheJsonDoor() {
        var made = http.post(SESSIONS, Map.of("sandboxId", id.value(), "command", "cat", "publicKey", key()));
        var session = made.text("sessionId");
        assertThat(made.body().get("sealed").getBooleanValue()).isTrue();
        assertThat(made.text("hostKeyFingerprint")).startsWith("SHA256:").hasSize(50);
        assertThat(http.get(SESSIONS + "/" + session).text("hostKey")).isEqualTo(made.text("hostKey"));
        var socket = http.socket(SESSIONS + "/" + session + "/ws");
        try (var client = new SealedSocket(socket, false, keys, made.text("hostKey"), session)) {
            assertThat(client.told()).contains("\"owner\"");
            client.begin(",\"from\":0").type(1, "hej\n").awaitOutput("hej\r\nhej\r\n");
            // In the clear, nothing is taken and nothing is said.
            socket.send("{\"type\":\"input\",\"data\":\"forged\\n\"}");
            assertThat(socket.awaitMessage("error").get("message").getStringValue())
                    .contains("sealed");
            client.type(2, "\u0004").awaitFrame(2);
            assertThat(client.output()).doesNotContain("forged");
            assertThat(socket.awaitClose()).isEqualTo(1000);
            assertThat(socket.text()).isEmpty();
        }
        Wait.until(() -> http.get(SESSIONS + "/" + session).text("status").equals("terminated"));
    }

    @Test
    void aWrongKeyIsRefusedAndNothingIsMade() {
        for (var bad : new String[] {"%%", "AAAA", ""}) {
            var refused = http.post(id + "/pty", Map.of("publicKey", bad));
            assertThat(refused.status()).as(bad).isEqualTo(400);
        }
        assertThat(http.post(id + "/pty", Map.of("publicKey", key(), "sealed", false))
                        .status())
                .isEqualTo(400);
        assertThat(http.get(id + "/pty").body().get("items").size()).isZero();
    }

    @Test
    void sealedBytesWaitForCredit() {
        var pty = pty("stty -onlcr; seq 1 200000; read x");
        try (var client = attach(pty, "?credit=20000")) {
            client.begin(",\"from\":0");
            Wait.until(() -> bytes(client) > 20_000);
            // At most the message that crossed the line has come as well.
            assertThat(bytes(client)).isLessThanOrEqualTo(20_000 + Sealing.LARGEST_MESSAGE);
            for (int i = 0; i < 400 && !client.output().endsWith("\n200000\n"); i++) {
                long before = bytes(client);
                // The message that crossed the line is owed: less credit than it has bytes may not be enough for more.
                client.socket().frame(68, Sealing.LARGEST_MESSAGE + 1, "");
                Wait.until(() -> bytes(client) > before || client.output().endsWith("\n200000\n"));
            }
            assertThat(client.output())
                    .startsWith("1\n2\n")
                    .endsWith("\n200000\n")
                    .hasSize(1_288_895);
        }
    }

    private static long bytes(SealedSocket client) {
        return client.sealed().stream().mapToLong(message -> message.length).sum();
    }

    @Test
    void anAgentThatComesBackIsShakenHandsWithAnew() throws Exception {
        try (var line = CutLine.to(relay)) {
            var there = relay.sandbox();
            var token = relay.bean(SandboxTokens.class).joinToken(there);
            try (var _ = RealAgent.start(line.sockets(), there, token)) {
                relay.await(there, SandboxState.RUNNING);
                var made = relay.http()
                        .post(
                                there + "/pty",
                                Map.of(
                                        "command",
                                        "stty -echo; while read x; do echo got-$x; done",
                                        "publicKey",
                                        key()));
                try (var client = attach(relay.http(), there, made, "")) {
                    client.begin(",\"source\":\"me\",\"from\":0")
                            .type(1, "one\n")
                            .awaitOutput("got-one");
                    line.cut();
                    assertThat(client.socket().awaitClose()).isEqualTo(1013);
                    int seen = client.output().length();
                    try (var again = attach(relay.http(), there, made, "")) {
                        again.begin(",\"source\":\"me\",\"from\":" + seen)
                                .type(1, "one\n")
                                .type(2, "two\n")
                                .awaitOutput("got-two");
                        assertThat(again.output()).isEqualTo("got-two\r\n");
                    }
                }
            }
        }
    }

    @Test
    void clearTerminalsAreRefusedWhereAllMustBeSealed() throws IOException {
        try (var strict = TestRelay.start(
                Map.of("bivouac.terminal.require-e2e-encryption", true, "bivouac.terminal.per-user", 10_000))) {
            var there = strict.sandbox();
            try (var inside = strict.agent(there)) {
                for (var refused : new Http.Answer[] {
                    strict.http().post(there + "/pty", Map.of("command", "cat")),
                    strict.http().post(SESSIONS, Map.of("sandboxId", there.value())),
                    AskedUpgrade.of(
                            strict.http().base() + "/api/v1/sandboxes/" + there + "/exec/interactive?command=id",
                            "X-API-Key: " + strict.http().key()),
                }) {
                    assertThat(refused.status()).isEqualTo(403);
                    assertThat(refused.text("name")).isEqualTo("FORBIDDEN");
                }
                var made = strict.http().post(there + "/pty", Map.of("command", "cat", "sealed", true));
                assertThat(made.status()).isEqualTo(201);
            }
        }
    }

    @Test
    void throughTwoRelaysASealedTerminalIsTheSame() {
        try (var other = TestRelay.start(relay.sockets(), Map.of("bivouac.terminal.per-user", 10_000))) {
            var pty = pty("stty -onlcr; seq 1 100000; exit 3");
            var path = id + "/pty/" + pty.text("id") + "/ws";
            var socket = new Http(other.http().base(), http.key()).socket(path, Socket.BINARY);
            try (var far = new SealedSocket(socket, true, keys, pty.text("hostKey"), pty.text("id"))) {
                far.begin(",\"from\":0");
                assertThat(far.awaitFrame(2).text()).contains("\"exitCode\":3");
                assertThat(far.output()).hasSize(588_895).endsWith("\n100000\n");
            }
        }
    }
}
