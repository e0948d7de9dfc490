package io.bivouac.fronts.e2b.plane;

import io.bivouac.sandboxio.file.FileEntry;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.ReadOrder;
import io.bivouac.sandboxio.file.SizedContents;
import io.bivouac.sandboxio.file.WriteOrder;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads and writes contents: plain bytes pass through, and a form is held in memory within a bound. */
@Controller("/files")
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "bivouac.fronts", notEquals = "off")
class FileContents {
    private static final int LARGEST_FORM = 32 * 1024 * 1024;

    private final Calls calls;
    private final SandboxCallers callers;
    private final Files files;

    FileContents(Calls calls, SandboxCallers callers, Files files) {
        this.calls = calls;
        this.callers = callers;
        this.files = files;
    }

    private FileUse use(HttpRequest<?> request, @Nullable String username) {
        var caller = callers.caller(request);
        return new FileUse(request.getHeaders().get(SandboxCallers.SANDBOX), caller, Call.ours(username));
    }

    @Get
    Mono<HttpResponse<?>> read(HttpRequest<?> request, @QueryValue String path, @Nullable @QueryValue String username) {
        return Mono.defer(() -> files.read(use(request, username), ReadOrder.whole(path)))
                .<HttpResponse<?>>map(read -> HttpResponse.ok(
                                new SizedContents(read.contents(), read.entry().size()))
                        .contentType(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                        .header("X-Content-Type-Options", "nosniff")
                        .header("Content-Security-Policy", "sandbox; default-src 'none'"))
                .onErrorResume(failure -> Mono.just(refusal(request, failure)));
    }

    @Post
    @Consumes(MediaType.ALL)
    Mono<HttpResponse<?>> write(
            ServerHttpRequest<?> request, @Nullable @QueryValue String path, @Nullable @QueryValue String username) {
        var body = request.byteBody().move();
        return Mono.defer(() -> {
                    var use = use(request, username);
                    Flux<byte[]> contents = Flux.defer(body::toByteArrayPublisher);
                    var type = request.getHeaders().get(HttpHeaders.CONTENT_TYPE);
                    return type != null && type.startsWith(MediaType.MULTIPART_FORM_DATA)
                            ? collected(contents).flatMap(form -> writeAll(use, path, Multipart.read(type, form)))
                            : write(use, path, contents).map(List::of);
                })
                .<HttpResponse<?>>map(written -> calls.json(200, JsonNode.createArrayNode(written)))
                .onErrorResume(failure -> Mono.just(refusal(request, failure)))
                .doFinally(_ -> body.close());
    }

    private Mono<List<JsonNode>> writeAll(FileUse use, @Nullable String path, List<Multipart.Part> parts) {
        return Flux.fromIterable(parts)
                .concatMap(part -> write(use, path == null ? part.name() : path, Mono.just(part.contents())))
                .collectList();
    }

    private Mono<JsonNode> write(FileUse use, @Nullable String path, Publisher<byte[]> contents) {
        if (path == null || path.isEmpty()) {
            throw BivouacException.invalidRequest("path is missing.");
        }
        var order = new WriteOrder(path, null, true, false, List.of(), null);
        return files.write(use, order, contents).map(written -> shown(written.entry()));
    }

    private static JsonNode shown(FileEntry entry) {
        return Json.of(Map.of("path", entry.path(), "name", entry.name(), "type", "file"));
    }

    private static Mono<byte[]> collected(Flux<byte[]> contents) {
        return contents.reduceWith(ByteArrayOutputStream::new, (all, piece) -> {
                    if (all.size() + piece.length > LARGEST_FORM) {
                        throw new BivouacException(
                                ErrorCode.TOO_LARGE,
                                "A form has at most " + LARGEST_FORM + " bytes; useOctetStream takes larger files.");
                    }
                    all.writeBytes(piece);
                    return all;
                })
                .map(ByteArrayOutputStream::toByteArray);
    }

    /** Here the code is a number, as on the control plane. */
    private HttpResponse<?> refusal(HttpRequest<?> request, Throwable failure) {
        if (!(failure instanceof BivouacException refused)) {
            return calls.refusal(request, failure);
        }
        int status = switch (refused.code()) {
            case SANDBOX_NOT_FOUND, SANDBOX_NOT_RUNNING -> 502;
            case IS_A_FOLDER, NOT_A_FOLDER, NOT_A_FILE -> 400;
            default -> refused.code().httpStatus();
        };
        return status == 502
                ? calls.gone(request)
                : calls.json(status, Json.of(Map.of("code", status, "message", refused.getMessage())));
    }
}
