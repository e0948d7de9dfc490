package io.bivouac.sandboxes.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.SandboxId;
import org.junit.jupiter.api.Test;

class WaitingAgentsTest {
    private static final WaitingAgent AGENT = new WaitingAgent() {
        @Override
        public boolean admit() {
            return true;
        }

        @Override
        public boolean isConnected() {
            return true;
        }
    };

    private final WaitingAgents agents = new WaitingAgents();
    private final SandboxId id = SandboxId.next();

    @Test
    void anAgentThatIsExpectedArrivesOnce() {
        var arrival = agents.expect(id, () -> {});
        assertThat(agents.arrived(id, AGENT)).isTrue();
        assertThat(arrival.join()).isSameAs(AGENT);
        assertThat(agents.arrived(id, AGENT)).isFalse();
        assertThat(agents.forget(id)).isTrue();
        assertThat(agents.arrived(id, AGENT)).isFalse();
    }

    @Test
    void whenTheServerStopsNobodyWaitsForAnAgent() {
        var before = agents.expect(id, () -> {});
        agents.close();
        assertThat(before).isCompletedExceptionally();
        assertThat(agents.arrived(id, AGENT)).isFalse();
        assertThat(agents.expect(SandboxId.next(), () -> {})).isCompletedExceptionally();
    }
}
