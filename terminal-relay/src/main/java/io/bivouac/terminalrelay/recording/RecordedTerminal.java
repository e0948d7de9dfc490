package io.bivouac.terminalrelay.recording;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/**
 * A terminal whose output was kept, as listings show it.
 *
 * @param size in bytes, as far as it is stored
 * @param complete nothing more will be added
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RecordedTerminal(
        String terminalId,
        String sandboxId,
        String command,
        int cols,
        int rows,
        Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable Integer exitCode,
        long size,
        boolean complete) {}
