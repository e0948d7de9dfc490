package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.HandMadeAgent;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxState;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentWatchTest {
    private static final Map<String, Object> IMPATIENT =
            Map.of("bivouac.agent.return-timeout", "2s", "bivouac.agent.heartbeat-timeout", "90s");

    @Test
    void anAgentThatDoesNotComeBackIsLostAndOneThatDoesRunsAgain() {
        try (var relay = TestRelay.start(IMPATIENT)) {
            var id = relay.sandbox();
            relay.agent(id).close();

            var lost = relay.await(id, SandboxState.ERROR);
            assertThat(lost.status().reason()).startsWith("agent lost");

            try (var back = relay.agent(id)) {
                assertThat(back.pid()).isPositive();
                assertThat(relay.http()
                                .post(id + "/exec", Map.of("command", List.of("true")))
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void anAgentThatFallsSilentIsLost() throws Exception {
        try (var relay = TestRelay.start(
                        Map.of("bivouac.agent.heartbeat-timeout", "1s", "bivouac.agent.heartbeat-every", "30s"));
                var silent = new HandMadeAgent(relay.sockets())) {
            var id = relay.sandbox();
            var control = silent.register(id, relay.bean(SandboxTokens.class).joinToken(id));

            assertThat(control.end()).isEqualTo(Code.DEADLINE_EXCEEDED);
            assertThat(relay.await(id, SandboxState.ERROR).status().reason()).contains("no heartbeat");
        }
    }

    @Test
    void aCommandOutlivesItsRelayAndIsReadOnFromTheNext() throws IOException {
        var sockets = Files.createTempDirectory("relay-sockets");
        RealAgent agent;
        io.bivouac.sandboxmodel.SandboxId id;
        String commandId;
        try (var first = TestRelay.start(sockets, IMPATIENT)) {
            id = first.sandbox();
            agent = first.agent(id);
            commandId = first.http()
                    .post(
                            id + "/process/run",
                            Map.of("command", "echo before; sleep 4; echo after", "background", true))
                    .text("commandId");
        }
        try (var second = TestRelay.start(sockets, IMPATIENT);
                agent) {
            var output = second.http().open(id + "/process/" + commandId + "/output?offset=2", "*/*");

            assertThat(new String(output.body().readAllBytes())).isEqualTo("fore\nafter\n");
            second.await(id, SandboxState.RUNNING);
        }
    }

    @Test
    void sandboxesWhoseAgentsComeToNoRelayAreLostAfterARestart() {
        io.bivouac.sandboxmodel.SandboxId id;
        try (var first = TestRelay.start(IMPATIENT)) {
            id = first.sandbox();
            first.agent(id).close();
        }
        try (var second = TestRelay.start(IMPATIENT)) {
            second.await(id, SandboxState.ERROR);
        }
    }

    @Test
    void anotherLiveRelayKeepsItsAgents() throws Exception {
        try (var first = TestRelay.start(IMPATIENT);
                var second = TestRelay.start(IMPATIENT);
                var intruder = new HandMadeAgent(second.sockets())) {
            var id = first.sandbox();
            try (var agent = first.agent(id)) {
                assertThat(agent.pid()).isPositive();
                var call = intruder.register(id, first.bean(SandboxTokens.class).joinToken(id));
                assertThat(call.end()).isEqualTo(Code.ALREADY_EXISTS);
            }
        }
    }

    @Test
    void socketsOfDeadRelaysAreRemoved() throws IOException {
        var sockets = Files.createTempDirectory("relay-sockets");
        Files.createFile(sockets.resolve("rly-dead.sock"));
        try (var relay = TestRelay.start(sockets, Map.of());
                var second = TestRelay.start(sockets, Map.of());
                var found = Files.list(sockets)) {
            assertThat(found).hasSize(2).noneMatch(path -> path.endsWith("rly-dead.sock"));
            assertThat(relay.sockets()).isEqualTo(second.sockets());
        }
        try (var found = Files.list(sockets)) {
            assertThat(found).isEmpty();
        }
    }
}
