package io.bivouac.sessions.acl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The containers that a rule confines a session to. */
class ConfinedRuleTest {
    @SafeVarargs
    private static Rule rule(Set<String>... workdirs) {
        var limits = Arrays.stream(workdirs)
                .map(places -> new TerminalLimits(places, Set.of(), null, null, Set.of(), true))
                .toList();
        var nobody = new Rule.Subjects(Set.of(), Set.of(), false, false);
        return new Rule(nobody, Set.of(), Set.of(), Set.of(), Set.of(), List.of(), limits);
    }

    @Test
    void aRuleThatNamesNoneConfinesToNone() {
        assertThat(rule().workdirs()).isEmpty();
        assertThat(rule((Set<String>) null).workdirs()).isEmpty();
    }

    @Test
    void allLimitsOfARuleHold() {
        assertThat(rule(Set.of("/a/", "/b/"), null, Set.of("/a/x/", "/c/")).workdirs())
                .contains(Set.of("/a/x/"));
        assertThat(rule(Set.of("/a/"), Set.of("/b/")).workdirs()).contains(Set.of());
    }
}
