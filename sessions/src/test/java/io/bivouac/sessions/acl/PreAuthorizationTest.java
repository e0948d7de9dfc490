package io.bivouac.sessions.acl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PreAuthorizationTest {
    @Test
    void whatWasCutIsNeverCovered() {
        var tests = PreAuthorization.parse("Bash npm test*").orElseThrow();
        var long4096 = "npm test " + "a".repeat(4084);
        assertThat(tests.covers("Bash", long4096)).isTrue();
        assertThat(tests.covers("Bash", long4096 + "…")).isFalse();
        assertThat(PreAuthorization.parse("Bash x…").orElseThrow().covers("Bash", "x…"))
                .isFalse();
    }
}
