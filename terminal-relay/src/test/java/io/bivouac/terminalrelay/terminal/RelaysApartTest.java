package io.bivouac.terminalrelay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.AgentConnections;
import io.bivouac.agentlink.AgentServer;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.RelayProcess;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes that share a database and no folder: agents and relays meet by TLS. */
class RelaysApartTest {
    @TempDir
    private Path folder;

    private Map<String, Object> settings(String name) {
        var settings = new HashMap<>(TestRelay.byTls());
        settings.put("bivouac.terminal.per-user", 10_000);
        settings.put(
                "bivouac.agent.authority-file", folder.resolve(name + ".pem").toString());
        return settings;
    }

    private RealAgent agent(TestRelay relay, SandboxId id, int... ports) {
        var where = TestRelay.addresses(folder.resolve("other.pem"), ports);
        var agent = RealAgent.startAt(where, id, relay.bean(SandboxTokens.class).joinToken(id), "{}");
        relay.await(id, SandboxState.RUNNING);
        return agent;
    }

    @Test
    void aClientReachesAnAgentAtTheOtherRelayAndAllGoesOnWhenThatRelayIsKilled() throws IOException {
        try (var other = TestRelay.start(settings("other"));
                var one = RelayProcess.start(settings("one"))) {
            var id = other.sandbox();
            try (var agent = agent(
                    other, id, one.tlsPort(), other.bean(AgentServer.class).tlsPort())) {
                assertThat(folder.resolve("one.pem")).hasSameTextualContentAs(folder.resolve("other.pem"));
                assertThat(other.bean(AgentConnections.class).find(id))
                        .as("agents that are connected to the other relay")
                        .isEmpty();
                var ran = other.http().post(id + "/process/run", Map.of("command", "cat", "stdin", "over there"));
                assertThat(ran.text("stdout")).isEqualTo("over there");

                var pty = one.http()
                        .post(id + "/pty", Map.of("command", "stty -echo; cat"))
                        .text("id");
                var path = id + "/pty/" + pty + "/ws?source=me";
                try (var far = other.http().socket(path + "-far&from=0", Socket.BINARY);
                        var near = one.http().socket(path, Socket.BINARY)) {
                    near.type(1, "one\n").awaitOutput(seen -> seen.equals("one\r\n"));
                    far.awaitOutput(seen -> seen.equals("one\r\n"));
                    one.kill();
                }
                Wait.until(() -> other.bean(AgentConnections.class).find(id).isPresent());
                try (var again = other.http().socket(path + "&from=5", Socket.BINARY)) {
                    again.type(1, "one\n").type(2, "two\n").awaitOutput(seen -> seen.equals("two\r\n"));
                }
                assertThat(other.http()
                                .post(id + "/process/run", Map.of("command", "echo here"))
                                .text("stdout"))
                        .isEqualTo("here\n");
            }
        }
    }
}
