package io.bivouac.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

/**
 * The data of {@code terminal.*} events. What follows {@code startedBy} is known at the end only.
 *
 * @param startedBy a key's id or a WebID
 * @param exitCode minus n when signal n ended the program
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TerminalData(
        String sandboxId,
        String terminalId,
        @Nullable String startedBy,
        @Nullable Integer exitCode,
        @Nullable String reason,
        @Nullable Long durationMs)
        implements EventData {}
