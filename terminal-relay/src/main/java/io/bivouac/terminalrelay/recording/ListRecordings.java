package io.bivouac.terminalrelay.recording;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Listing;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;

/** Lists a project's recorded terminals; those of deleted sandboxes stay until their time is over. */
@Tag(name = "terminals")
@Controller(TerminalPaths.RECORDINGS)
@ExecuteOn(TaskExecutors.BLOCKING)
class ListRecordings {
    private final Recordings recordings;

    ListRecordings(Recordings recordings) {
        this.recordings = recordings;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Recorded(List<RecordedTerminal> items, @Nullable String nextCursor) {}

    @Get
    @Operation(operationId = "listRecordings", summary = "List recordings, the newest first")
    Recorded list(
            @Nullable @QueryValue String sandboxId,
            @Nullable @QueryValue String cursor,
            @Nullable @QueryValue Integer limit,
            @Parameter(hidden = true) Caller caller) {
        var page = recordings.list(caller.project(), sandboxId, cursor, Listing.limit(limit));
        return new Recorded(page.items(), page.nextCursor());
    }
}
