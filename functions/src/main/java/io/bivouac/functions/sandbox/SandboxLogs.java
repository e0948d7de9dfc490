package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.memory.Purpose;
import io.bivouac.http.Answers;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/** Shows the last lines that a sandbox logged. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class SandboxLogs {
    private final Sandboxes sandboxes;
    private final SandboxRuntime runtime;
    private final Answers answers;

    SandboxLogs(Sandboxes sandboxes, SandboxRuntime runtime, Answers answers) {
        this.sandboxes = sandboxes;
        this.runtime = runtime;
        this.answers = answers;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Logs(List<LogLine> lines) {
        private static final int SMALL_FIELDS = 64;

        private long bytes() {
            return lines.stream()
                    .mapToLong(line -> SMALL_FIELDS + 2L * line.text().length())
                    .sum();
        }
    }

    @Get("/{id}/logs")
    @Operation(operationId = "getSandboxLogs", summary = "Shows the last lines that a sandbox logged")
    Logs logs(
            @Parameter(schema = @Schema(type = "string")) SandboxId id,
            @Parameter(schema = @Schema(minimum = "1", maximum = "" + LogQuery.LARGEST_TAIL)) @Nullable @QueryValue
                    Integer tail,
            @Parameter(schema = @Schema(format = "date-time")) @Nullable @QueryValue String since,
            @Parameter(schema = @Schema(format = "date-time")) @Nullable @QueryValue String until,
            @Parameter(hidden = true) Caller caller) {
        sandboxes.get(id, caller);
        var query = query(tail, since, until);
        return answers.held(Purpose.LOG, caller, LogQuery.MOST_BYTES, () -> read(id, query), Logs::bytes);
    }

    private Logs read(SandboxId id, LogQuery query) {
        try {
            return new Logs(runtime.logs(id, query));
        } catch (NoSuchInstance gone) {
            return new Logs(List.of());
        }
    }

    private static LogQuery query(@Nullable Integer tail, @Nullable String since, @Nullable String until) {
        try {
            return new LogQuery(tail == null ? LogQuery.DEFAULT_TAIL : tail, time(since), time(until));
        } catch (DateTimeException | IllegalArgumentException wrong) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, wrong.getMessage() + ".");
        }
    }

    private static @Nullable Instant time(@Nullable String text) {
        return text == null ? null : Instant.parse(text);
    }
}
