package io.bivouac.fronts.e2b.plane;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.json.tree.JsonNode;
import io.netty.buffer.ByteBuf;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers remote calls by the Connect protocol, with one message or a stream of them. Thread-safe. */
@Singleton
class Calls {
    private static final MediaType STREAM = new MediaType("application/connect+json");

    private final SandboxCallers callers;
    private final Envelopes envelopes;

    Calls(SandboxCallers callers, Envelopes envelopes) {
        this.callers = callers;
        this.envelopes = envelopes;
    }

    Mono<HttpResponse<?>> unary(HttpRequest<?> request, byte[] body, Function<Call, Mono<JsonNode>> answer) {
        return Mono.defer(() -> answer.apply(Call.of(request, callers.caller(request), envelopes.read(body))))
                .<HttpResponse<?>>map(message -> json(HttpStatus.OK.getCode(), message))
                .onErrorResume(failure -> Mono.just(refusal(request, failure)));
    }

    /** A refusal is the end of a stream: the SDKs take any other status than 200 for a broken server. */
    Mono<HttpResponse<?>> stream(HttpRequest<?> request, byte[] body, Function<Call, Mono<Flux<ByteBuf>>> answer) {
        return Mono.defer(() -> answer.apply(Call.of(request, callers.caller(request), envelopes.readFirst(body))))
                .onErrorResume(failure -> isGone(failure)
                        ? Mono.error(failure)
                        : Mono.just(Flux.just(envelopes.end(ConnectErrors.of(failure)))))
                .<HttpResponse<?>>map(frames -> HttpResponse.ok(new Frames(frames))
                        .contentType(STREAM)
                        .header(HttpHeaders.CACHE_CONTROL, "no-store"))
                .onErrorResume(failure -> Mono.just(refusal(request, failure)));
    }

    private static boolean isGone(Throwable failure) {
        return ConnectErrors.status(nameOf(failure)) == HttpStatus.BAD_GATEWAY.getCode();
    }

    private static String nameOf(Throwable failure) {
        var name = Json.text(ConnectErrors.of(failure), "code");
        return name == null ? "" : name;
    }

    HttpResponse<?> refusal(HttpRequest<?> request, Throwable failure) {
        return isGone(failure) ? gone(request) : json(ConnectErrors.status(nameOf(failure)), ConnectErrors.of(failure));
    }

    /** The SDKs know a dead sandbox by this status and these words. */
    HttpResponse<?> gone(HttpRequest<?> request) {
        var id = request.getHeaders().get(SandboxCallers.SANDBOX);
        return json(
                HttpStatus.BAD_GATEWAY.getCode(),
                Json.of(Map.of(
                        "sandboxId",
                        id == null ? "" : id,
                        "message",
                        "The sandbox was not found",
                        "code",
                        HttpStatus.BAD_GATEWAY.getCode())));
    }

    HttpResponse<?> json(int status, JsonNode message) {
        return HttpResponse.status(HttpStatus.valueOf(status))
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .body(envelopes.written(message));
    }
}
