package io.bivouac.foundation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.events.AgentData;
import io.bivouac.events.EventType;
import io.bivouac.events.SandboxData;
import io.bivouac.foundation.fixture.House;
import io.bivouac.sandboxmodel.fixture.Drafts;
import io.bivouac.sandboxmodel.transition.Decision.Saying;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaGuardTest {
    private final Outbox outbox = House.get(Outbox.class);

    @Test
    void whatFitsIsWritten() {
        var sandbox = Drafts.starting("prj_guard");
        var fits = new Saying(
                EventType.AGENT_DISCONNECTED, new AgentData(sandbox.id().value(), null, "cut off"));
        outbox.say(sandbox, List.of(fits), Instant.now());
        assertThat(outbox.history(sandbox.id().value(), 0, 10).items()).hasSize(1);
    }

    @Test
    void anEventThatLacksWhatItsTypeNeedsIsRefused() {
        var sandbox = Drafts.starting("prj_guard");
        var now = Instant.now();
        var withoutReason =
                new SandboxData(sandbox.id().value(), null, "error", null, null, "default", Map.of(), now, now);
        assertThatThrownBy(() -> outbox.say(sandbox, List.of(new Saying(EventType.SANDBOX_ERROR, withoutReason)), now))
                .hasMessageContaining("stateReason");
        assertThat(outbox.history(sandbox.id().value(), 0, 10).items()).isEmpty();
    }

    @Test
    void anEventThatSaysMoreThanItsSchemaIsRefused() {
        var sandbox = Drafts.starting("prj_guard");
        var other =
                new Saying(EventType.SANDBOX_DELETED, new AgentData(sandbox.id().value(), "1", null));
        assertThatThrownBy(() -> outbox.say(sandbox, List.of(other), Instant.now()))
                .hasMessageContaining("agentVersion");
    }
}
