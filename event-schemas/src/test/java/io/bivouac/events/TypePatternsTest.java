package io.bivouac.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TypePatternsTest {
    @Test
    void aPatternIsOneTypeOrAFamilyOrAll() {
        var some = TypePatterns.checked(List.of("sandbox.*", "agent.connected"));
        assertThat(some.match("sandbox.created")).isTrue();
        assertThat(some.match("agent.connected")).isTrue();
        assertThat(some.match("agent.disconnected")).isFalse();
        assertThat(some.match("sandboxes.created")).isFalse();
        assertThat(TypePatterns.all().match("anything.at-all")).isTrue();
        assertThat(TypePatterns.ofText(some.text())).isEqualTo(some);
    }

    @Test
    void theTypesOfPatternsAreThoseThatMatch() {
        assertThat(TypePatterns.checked(List.of("agent.*", "sandbox.created", "agent.connected"))
                        .types())
                .containsExactlyInAnyOrder("agent.connected", "agent.disconnected", "sandbox.created");
        assertThat(TypePatterns.all().types()).hasSize(EventType.values().length);
    }

    @Test
    void aPatternThatNoTypeFitsIsRefused() {
        for (var wrong : List.of("sandbox.craeted", "sandbox", ".*", "", "Sandbox.*", "sandbox.created.*")) {
            assertThatThrownBy(() -> TypePatterns.checked(List.of("*", wrong)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("No type of event fits '" + wrong + "'; there are agent.connected, ");
        }
    }

    @Test
    void aStoredTypeOfANewerVersionIsKept() {
        assertThat(TypePatterns.ofText("sandbox.*,pool.filled").match("pool.filled"))
                .isTrue();
    }
}
