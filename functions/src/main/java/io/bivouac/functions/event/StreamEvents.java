package io.bivouac.functions.event;

import io.bivouac.events.TypePatterns;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.memory.MemoryBudget;
import io.bivouac.foundation.memory.Purpose;
import io.bivouac.foundation.outbox.PublishedEvents;
import io.bivouac.foundation.share.ShareTaken;
import io.bivouac.http.RequestText;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;

/** Sends a project's events as they are published, from where the client left off. */
@Tag(name = "events")
@Controller("/api/v1/events")
class StreamEvents {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final String NUMBER = "^[0-9]{0,18}$";

    private final PublishedEvents events;
    private final StreamKeys keys;
    private final StreamSettings settings;
    private final MemoryBudget memory;
    private final OpenStreams open;

    StreamEvents(
            PublishedEvents events, StreamKeys keys, StreamSettings settings, MemoryBudget memory, OpenStreams open) {
        this.events = events;
        this.keys = keys;
        this.settings = settings;
        this.memory = memory;
        this.open = open;
    }

    /**
     * @param types patterns with commas between, such as {@code sandbox.*,agent.connected}; all when absent
     * @param lastEventId for clients that cannot send the header
     * @param approver whether the client answers permission requests: while it is connected, connections of the project's
     *     sandboxes to closed hosts wait for an answer
     */
    @Get
    @Produces(MediaType.TEXT_EVENT_STREAM)
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Operation(operationId = "streamEvents", summary = "Follow the project's events")
    @ApiResponse(
            responseCode = "200",
            description = "Events as they are published",
            content = @Content(mediaType = MediaType.TEXT_EVENT_STREAM, schema = @Schema(type = "string")))
    HttpResponse<Flux<byte[]>> stream(
            @Parameter(schema = @Schema(example = "sandbox.*,agent.connected")) @Nullable @QueryValue String types,
            @Parameter(schema = @Schema(pattern = NUMBER, example = "0")) @Nullable @Header("Last-Event-ID")
                    String lastSeen,
            @Parameter(schema = @Schema(pattern = NUMBER, example = "0")) @Nullable @QueryValue String lastEventId,
            @Parameter(schema = @Schema(type = "boolean")) @Nullable @QueryValue String approver,
            @Parameter(hidden = true) Caller caller) {
        boolean answers = RequestText.flag("approver", approver);
        if (answers) {
            caller.mustBe(Role.DEVELOPER);
        }
        var wanted = new EventReader.Wanted(caller.project(), typesIn(types));
        var given = number(lastSeen == null ? lastEventId : lastSeen);
        int ofProject = open.mustHavePlace(caller);
        // Now, while a failure can still be answered as one.
        checkForRoom(caller.project());
        var start = EventReader.Start.at(events, given);
        var pieces = EventPump.from(() -> open(caller, ofProject, answers, wanted, start))
                .take(settings.getLongest())
                .onErrorResume(ShareTaken.class, full -> Flux.just(OpenStreams.refusal(full)));
        return HttpResponse.ok(keys.whileValid(caller, pieces))
                .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                // Proxies that collect before they pass on would turn a stream into a wait.
                .header("X-Accel-Buffering", "no");
    }

    private EventReader open(
            Caller caller, int ofProject, boolean approver, EventReader.Wanted wanted, EventReader.Start start) {
        var place = open.take(caller, ofProject, approver);
        var room = memory.holding(Purpose.EVENT_STREAM, wanted.project(), wanted);
        return new EventReader(events, wanted, start, settings.getPing(), room, place::close);
    }

    /** A stream whose first page would find no room is refused, not opened and ended. */
    private void checkForRoom(String project) {
        try (var room = memory.holding(Purpose.EVENT_STREAM, project, Thread.currentThread())) {
            room.takeWithin(PATIENCE, EventReader.ROOM);
        }
    }

    private static Set<String> typesIn(@Nullable String patterns) {
        if (patterns == null || patterns.isBlank()) {
            return TypePatterns.all().types();
        }
        try {
            var asked = Stream.of(patterns.split(",", -1)).map(String::strip).toList();
            return TypePatterns.checked(asked).types();
        } catch (IllegalArgumentException unknown) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, unknown.getMessage());
        }
    }

    private static @Nullable Long number(@Nullable String id) {
        if (id == null || id.isEmpty()) {
            return null;
        }
        try {
            return Long.parseUnsignedLong(id);
        } catch (NumberFormatException foreign) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "This Last-Event-ID did not come from here.");
        }
    }
}
