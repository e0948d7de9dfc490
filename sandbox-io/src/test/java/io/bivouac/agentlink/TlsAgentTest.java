package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents on other machines come by TCP, and only to a relay that proves who it is. */
class TlsAgentTest {
    @TempDir
    private Path folder;

    private TestRelay relay;
    private SandboxId id;

    @BeforeEach
    void start() throws Exception {
        certificate("relay");
        certificate("stranger");
        relay = TestRelay.start(Map.of(
                "bivouac.agent.port",
                0,
                "bivouac.agent.host",
                "127.0.0.1",
                "bivouac.agent.certificate",
                folder.resolve("relay.pem").toString(),
                "bivouac.agent.key",
                folder.resolve("relay.key").toString()));
        id = relay.sandbox();
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    /** An authority, and a certificate by it for this machine. */
    private void certificate(String name) throws Exception {
        var authority = folder.resolve(name + "-authority.pem").toString();
        var authorityKey = folder.resolve(name + "-authority.key").toString();
        openssl("-keyout", authorityKey, "-out", authority, "-subj", "/CN=" + name);
        openssl(
                "-keyout",
                folder.resolve(name + ".key").toString(),
                "-out",
                folder.resolve(name + ".pem").toString(),
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost",
                "-addext",
                "basicConstraints=critical,CA:FALSE",
                "-CA",
                authority,
                "-CAkey",
                authorityKey);
    }

    private static void openssl(String... more) throws Exception {
        var command =
                new ArrayList<>(List.of("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"));
        command.addAll(List.of(more));
        var openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(openssl.getInputStream().readAllBytes());
        assertThat(openssl.waitFor()).as(said).isZero();
    }

    private RealAgent agentThatTrusts(String name) {
        var where = "{\"addresses\": [\"https://localhost:%d\"], \"serverName\": \"localhost\", \"caFile\": \"%s\"}"
                .formatted(relay.bean(AgentServer.class).tlsPort(), folder.resolve(name + "-authority.pem"));
        return RealAgent.startAt(where, id, relay.bean(SandboxTokens.class).joinToken(id), "{}");
    }

    @Test
    void anAgentRegistersAndRunsCommands() {
        try (var agent = agentThatTrusts("relay")) {
            assertThat(agent.pid()).isPositive();
            relay.await(id, SandboxState.RUNNING);
            var answer = relay.http().post(id + "/process/run", Map.of("command", "seq 1 100000", "stdin", "x"));
            assertThat(answer.number("exitCode")).isZero();
            assertThat(answer.text("stdout")).endsWith("\n100000\n");
        }
    }

    @Test
    void anAgentGivesItsTokenToNobodyElse() {
        try (var agent = agentThatTrusts("stranger")) {
            var log = agent.workspace().resolveSibling("agent.jsonl");
            Wait.until(() -> said(log).contains("no relay"));
            assertThat(said(log)).contains("certificate");
            assertThat(relay.bean(SandboxStore.class).find(id).orElseThrow().state())
                    .isEqualTo(SandboxState.STARTING);
        }
    }

    private static String said(Path log) {
        try {
            return Files.readString(log);
        } catch (java.io.IOException notYet) {
            return "";
        }
    }
}
