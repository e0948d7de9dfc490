package io.bivouac.sandboxio.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

/**
 * A command's result as a client sees it; {@link ResultJson} writes it.
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

    /** What is said of a command that goes on by itself. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Background(String commandId, boolean background) {}
}
