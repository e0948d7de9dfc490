package io.bivouac.sandboxio.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.RequestText;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.serde.annotation.Serdeable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What changes in a folder, as server-sent events. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class WatchFiles {
    private static final byte[] PING = ": ping\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Files files;
    private final FileSettings settings;
    private final ObjectMapper json;

    WatchFiles(Files files, FileSettings settings, ObjectMapper json) {
        this.files = files;
        this.settings = settings;
        this.json = json;
    }

    /** The data of an event; the path is missing of an overflow. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Event(
            String type,
            String path,
            @Nullable String to,
            @Nullable Boolean folder) {}

    @Get("/watch")
    @Produces(MediaType.TEXT_EVENT_STREAM)
    @Operation(operationId = "watchFiles", summary = "Watch a folder of a sandbox")
    Mono<? extends HttpResponse<?>> watch(
            String id,
            @QueryValue String path,
            @Nullable @QueryValue String recursive,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller) {
        return files.watch(
                        new FileUse(id, caller, user),
                        FileRequests.path("path", path),
                        RequestText.flag("recursive", recursive))
                .map(events -> HttpResponse.ok(frames(events))
                        .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
                        .header(HttpHeaders.CACHE_CONTROL, "no-store")
                        .header("X-Accel-Buffering", "no"));
    }

    /** Begins with a comment: the client knows from it that it watches. */
    private Flux<ByteBuf> frames(Flux<FileEvent> events) {
        var told = events.map(this::frame).materialize();
        // A ping that the client has no room for is none.
        var pings = Flux.interval(settings.getPingEvery())
                .onBackpressureDrop()
                .map(_ -> Unpooled.wrappedBuffer(PING))
                .materialize();
        return Flux.merge(told, pings).<ByteBuf>dematerialize().startWith(Unpooled.wrappedBuffer(PING));
    }

    private ByteBuf frame(FileEvent event) {
        boolean overflow = event.type() == FileEvent.Type.OVERFLOW;
        var data = new Event(event.type().wireName(), event.path(), event.to(), overflow ? null : event.folder());
        try {
            var text = "event: " + data.type() + "\ndata: " + json.writeValueAsString(data) + "\n\n";
            return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
