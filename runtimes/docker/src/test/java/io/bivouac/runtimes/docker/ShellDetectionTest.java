package io.bivouac.runtimes.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShellDetectionTest {
    @Test
    void theVariableDecides() {
        assertThat(shell("/usr/bin/fish", Set.of("sh", "/bin/bash"))).isEqualTo("/usr/bin/fish");
    }

    @Test
    void withoutItBashIsPreferred() {
        assertThat(shell("", Set.of("sh", "/bin/bash"))).isEqualTo("/bin/bash");
        assertThat(shell("", Set.of("sh"))).isEqualTo("/bin/sh");
    }

    @Test
    void aShellThatRefusesLoginIsNone() {
        assertThat(shell("/bin/false", Set.of("sh", "/bin/bash"))).isEqualTo("/bin/bash");
    }

    @Test
    void anImageWhoseShellCannotBeAskedStillHasAnAnswer() {
        assertThat(shell("/bin/zsh", Set.of())).isEqualTo("/bin/sh");
    }

    private static String shell(String variable, Set<String> installed) {
        return new ShellDetection(argv -> {
                    if (!installed.contains(argv.getFirst())) {
                        throw new RuntimeFailure("not there");
                    }
                    return new ExecResult(0, variable + "\n", "");
                })
                .shell();
    }
}
