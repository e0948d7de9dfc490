package io.bivouac.terminalrelay.process;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

/**
 * A command's result as a client sees it.
 *
 * @param stdoutBase64 the exact bytes, when they are not UTF-8
 * @param stderrBase64 the exact bytes, when they are not UTF-8
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record RunView(
        String commandId,
        int exitCode,
        String stdout,
        String stderr,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stdoutBase64,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stderrBase64,
        boolean truncated,
        long durationMs) {
    static RunView of(CommandResult result) {
        return new RunView(
                result.commandId(),
                result.exitCode(),
                CommandResult.text(result.stdout()),
                CommandResult.text(result.stderr()),
                CommandResult.base64(result.stdout()),
                CommandResult.base64(result.stderr()),
                result.truncated(),
                result.durationMillis());
    }

    /** What is said of a command that goes on by itself. */
    @Serdeable
    record Background(String commandId, boolean background) {}
}
