package io.bivouac.terminalrelay.recording;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Listing;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Lists a project's recorded terminals; those of deleted sandboxes stay until their time is over. */
@Tag(name = "terminals")
@Controller(TerminalPaths.RECORDINGS)
@ExecuteOn(TaskExecutors.BLOCKING)
class ListRecordings {
    private final Recordings recordings;

    ListRecordings(Recordings recordings) {
        this.recordings = recordings;
    }

    @Get
    @Operation(operationId = "listRecordings", summary = "List recordings, the newest first")
    Listing<RecordedTerminal> list(
            @Nullable @QueryValue String sandboxId,
            @Nullable @QueryValue String cursor,
            @Nullable @QueryValue Integer limit,
            @Parameter(hidden = true) Caller caller) {
        return Listing.of(recordings.list(caller.project(), sandboxId, cursor, Listing.limit(limit)));
    }
}
