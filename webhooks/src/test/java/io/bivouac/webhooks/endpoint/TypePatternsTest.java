package io.bivouac.webhooks.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TypePatternsTest {
    @Test
    void aPatternIsOneTypeOrAFamilyOrAll() {
        var some = TypePatterns.asked(List.of("sandbox.*", "agent.connected"));
        assertThat(some.match("sandbox.created")).isTrue();
        assertThat(some.match("agent.connected")).isTrue();
        assertThat(some.match("agent.disconnected")).isFalse();
        assertThat(some.match("sandboxes.created")).isFalse();
        assertThat(TypePatterns.asked(null).match("anything.at-all")).isTrue();
        assertThat(TypePatterns.stored(some.stored())).isEqualTo(some);
    }
}
