package io.bivouac.runtimes.docker;

import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds the shell for a terminal: {@code $SHELL}, then bash, then sh. */
final class ShellDetection {
    private static final String BASH = "/bin/bash";
    private static final String SH = "/bin/sh";
    private static final String NO_LOGIN = "/bin/false";

    private final Function<List<String>, ExecResult> run;

    ShellDetection(Function<List<String>, ExecResult> run) {
        this.run = run;
    }

    String shell() {
        return output(List.of("sh", "-c", "echo \"$SHELL\""))
                .filter(shell -> !shell.isEmpty() && !shell.equals(NO_LOGIN))
                .orElseGet(() -> output(List.of(BASH, "-c", "true")).isPresent() ? BASH : SH);
    }

    private Optional<String> output(List<String> argv) {
        try {
            var result = run.apply(argv);
            return result.exitCode() == 0 ? Optional.of(result.stdout().strip()) : Optional.empty();
        } catch (RuntimeFailure notThere) {
            return Optional.empty();
        }
    }
}
