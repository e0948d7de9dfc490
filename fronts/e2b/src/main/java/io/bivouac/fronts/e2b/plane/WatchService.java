package io.bivouac.fronts.e2b.plane;

import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Watches of folders: as a stream, or asked for now and then. */
@Controller("/filesystem.Filesystem")
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class WatchService {
    private static final Duration PING_EVERY = Duration.ofSeconds(15);

    private final Calls calls;
    private final Files files;
    private final Envelopes envelopes;
    private final Watchers watchers;

    WatchService(Calls calls, Files files, Envelopes envelopes, Watchers watchers) {
        this.calls = calls;
        this.files = files;
        this.envelopes = envelopes;
        this.watchers = watchers;
    }

    private static FileUse use(Call call) {
        return new FileUse(call.sandbox(), call.caller(), call.user());
    }

    private static String path(Call call) {
        var path = Json.text(call.message(), "path");
        if (path == null || path.isEmpty()) {
            throw BivouacException.invalidRequest("path is missing.");
        }
        return path;
    }

    private Mono<Flux<JsonNode>> watched(Call call) {
        return files.stat(use(call), path(call))
                .flatMap(folder -> files.watch(use(call), folder.path(), Json.flag(call.message(), "recursive"))
                        .map(events -> events.concatMapIterable(event -> WatchEvents.of(event, folder.path()))));
    }

    @Post("/WatchDir")
    Mono<HttpResponse<?>> watch(HttpRequest<?> request, @Body byte[] body) {
        return calls.stream(request, body, call -> watched(call).map(this::frames));
    }

    private Flux<ByteBuf> frames(Flux<JsonNode> events) {
        var told = events.map(event -> envelopes.message(Json.of("filesystem", event)))
                .concatWith(Mono.fromSupplier(envelopes::end))
                .onErrorResume(BivouacException.class, refusal -> Mono.just(envelopes.end(ConnectErrors.of(refusal))))
                .materialize();
        // A ping that the client has no room for is none.
        var pings = Flux.interval(PING_EVERY)
                .onBackpressureDrop()
                .map(_ -> envelopes.message(Json.of("keepalive", Json.EMPTY)))
                .materialize();
        return Flux.merge(told, pings)
                .<ByteBuf>dematerialize()
                .startWith(Mono.fromSupplier(() -> envelopes.message(Json.of("start", Json.EMPTY))));
    }

    @Post("/CreateWatcher")
    Mono<HttpResponse<?>> create(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(
                request,
                body,
                call -> watched(call)
                        .map(events ->
                                Json.of("watcherId", JsonNode.createStringNode(watchers.add(call.sandbox(), events)))));
    }

    @Post("/GetWatcherEvents")
    Mono<HttpResponse<?>> events(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(
                request,
                body,
                call -> Mono.fromSupplier(() ->
                        Json.of("events", JsonNode.createArrayNode(watchers.take(call.sandbox(), watcher(call))))));
    }

    @Post("/RemoveWatcher")
    Mono<HttpResponse<?>> remove(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(request, body, call -> {
            watchers.remove(call.sandbox(), watcher(call));
            return Mono.just(Json.EMPTY);
        });
    }

    private static String watcher(Call call) {
        var id = Json.text(call.message(), "watcherId");
        return id == null ? "" : id;
    }
}
