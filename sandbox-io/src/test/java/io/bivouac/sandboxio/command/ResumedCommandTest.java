package io.bivouac.sandboxio.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.CutLine;
import io.bivouac.agentlink.testing.Events;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that waits for a command does not notice that the agent's connection broke and came back. */
class ResumedCommandTest {
    private TestRelay relay;
    private CutLine line;
    private SandboxId id;
    private RealAgent agent;

    @BeforeEach
    void start() throws Exception {
        relay = TestRelay.start(Map.of("bivouac.agent.ping-timeout", "500ms"));
        line = CutLine.to(relay);
        id = relay.sandbox();
        agent = RealAgent.start(
                line.sockets(), id, relay.bean(SandboxTokens.class).joinToken(id));
        relay.await(id, SandboxState.RUNNING);
    }

    @AfterEach
    void stop() throws Exception {
        agent.close();
        line.close();
        relay.close();
    }

    /** Counts to 60 in three seconds, and says in a file that it has begun. */
    private String counting() {
        return "touch begun; i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo $i; echo e$i >&2; sleep 0.05; done; exit 7";
    }

    private void cutOnceBegun() {
        Path begun = agent.workspace().resolve("begun");
        Wait.until(() -> Files.exists(begun));
        line.cut();
    }

    private static String lines(String prefix) {
        return java.util.stream.IntStream.rangeClosed(1, 60)
                .mapToObj(number -> prefix + number + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void aResultInOnePieceIsWhole() throws Exception {
        var answer = CompletableFuture.supplyAsync(
                () -> relay.http().post(id + "/process/run", Map.of("command", counting())));
        cutOnceBegun();
        assertThat(answer.get().text("stdout")).isEqualTo(lines(""));
        assertThat(answer.get().text("stderr")).isEqualTo(lines("e"));
        assertThat(answer.get().number("exitCode")).isEqualTo(7);
        assertThat(answer.get().body().get("truncated").getBooleanValue()).isFalse();
    }

    @Test
    void aStreamGoesOnWhereItWas() {
        var request = Map.of("command", counting(), "stream", true);
        try (var events =
                new Events(relay.http().openPost(id + "/process/run", request).body())) {
            assertThat(events.next().type()).isEqualTo("start");
            cutOnceBegun();
            var rest = events.rest();
            var text = rest.stream()
                    .filter(event -> event.type().equals("stdout"))
                    .map(Events.Event::text)
                    .collect(Collectors.joining());
            assertThat(text).isEqualTo(lines(""));
            assertThat(rest.getLast().data().get("exitCode").getIntValue()).isEqualTo(7);
        }
    }

    @Test
    void aFloodIsWholeAfterSeveralBreaks() throws Exception {
        var answer = CompletableFuture.supplyAsync(() -> relay.http()
                .post(id + "/process/run", Map.of("command", "touch begun; seq 1 2000000", "maxOutputSize", 64 << 20)));
        for (int cut = 0; cut < 4; cut++) {
            cutOnceBegun();
            relay.await(id, SandboxState.RUNNING);
            Thread.sleep(100); // so that each break meets another part of the output
        }
        var text = answer.get().text("stdout");
        assertThat(text).startsWith("1\n2\n").endsWith("\n2000000\n");
        assertThat(text.length()).isEqualTo(14_888_896);
    }

    /** What was sent of it before the break is not known, and must not be sent twice. */
    @Test
    void aCommandWithInputIsLost() throws Exception {
        var answer = CompletableFuture.supplyAsync(() ->
                relay.http().post(id + "/process/run", Map.of("command", "touch begun; sleep 60", "stdin", "text")));
        cutOnceBegun();
        assertThat(answer.get().number("code")).isEqualTo(9003);
    }

    @Test
    void nobodyWaitsForASandboxThatStops() throws Exception {
        var answer = CompletableFuture.supplyAsync(
                () -> relay.http().post(id + "/process/run", Map.of("command", "touch begun; sleep 600")));
        Path begun = agent.workspace().resolve("begun");
        Wait.until(() -> Files.exists(begun));
        relay.bean(SandboxStore.class).on(id, new StopRequested());
        agent.signal("KILL");
        assertThat(answer.get().number("code")).isEqualTo(9003);
    }

    /** The next agent knows nothing of it. */
    @Test
    void aCommandThatDiedWithItsAgentIsLost() throws Exception {
        var answer = CompletableFuture.supplyAsync(
                () -> relay.http().post(id + "/process/run", Map.of("command", "touch begun; sleep 600")));
        Path begun = agent.workspace().resolve("begun");
        Wait.until(() -> Files.exists(begun));
        agent.signal("KILL");
        agent.close();
        agent = RealAgent.start(
                line.sockets(), id, relay.bean(SandboxTokens.class).joinToken(id));
        assertThat(answer.get().number("code")).isEqualTo(9003);
    }
}
