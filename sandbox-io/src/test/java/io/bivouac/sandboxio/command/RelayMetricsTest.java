package io.bivouac.sandboxio.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.HandMadeAgent;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator sees of agents and commands. */
class RelayMetricsTest {
    private TestRelay relay;
    private SandboxId id;
    private RealAgent agent;

    @BeforeEach
    void start() {
        relay = TestRelay.start();
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterEach
    void stop() {
        agent.close();
        relay.close();
    }

    private double gauge(String name) {
        return relay.bean(MeterRegistry.class).get(name).gauge().value();
    }

    private double ended(String result) {
        return relay.bean(MeterRegistry.class)
                .get("bivouac.commands")
                .tag("result", result)
                .counter()
                .count();
    }

    private void run(Map<String, ?> request) {
        relay.http().post(id + "/process/run", request);
    }

    @Test
    void eachCommandIsCountedByHowItEnded() {
        run(Map.of("command", "printf 12345"));
        run(Map.of("command", "exit 3"));
        run(Map.of("command", "sleep 60", "timeout", 100));
        run(Map.of("command", java.util.List.of("no-such-program")));

        assertThat(ended("exited")).isEqualTo(2);
        assertThat(ended("timed_out")).isEqualTo(1);
        assertThat(ended("refused")).isEqualTo(1);
        assertThat(ended("lost")).isZero();
        assertThat(relay.bean(MeterRegistry.class)
                        .get("bivouac.commands.output")
                        .counter()
                        .count())
                .isEqualTo(5);
        assertThat(gauge("bivouac.commands.running")).isZero();
    }

    @Test
    void whatIsReadNowIsCounted() throws Exception {
        var stream = relay.http().openPost(id + "/process/run", Map.of("command", "sleep 60", "stream", true));
        Wait.until(() -> gauge("bivouac.commands.running") == 1);
        stream.body().close();
        Wait.until(() -> gauge("bivouac.commands.running") == 0);
        assertThat(ended("left")).isEqualTo(1);
    }

    @Test
    void agentsAreCounted() throws Exception {
        // The row says that it runs a moment before the connection is counted.
        Wait.until(() -> gauge("bivouac.agents.connected") == 1);
        try (var guesser = new HandMadeAgent(relay.sockets())) {
            guesser.register(relay.sandbox(), "guess").end();
        }
        assertThat(relay.bean(MeterRegistry.class)
                        .get("bivouac.agents.refused")
                        .tag("reason", "unauthenticated")
                        .counter()
                        .count())
                .isEqualTo(1);
        agent.close();
        Wait.until(() -> gauge("bivouac.agents.connected") == 0);
    }
}
