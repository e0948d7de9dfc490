package io.bivouac.fronts.e2b.plane;

import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.sandboxio.file.ContentAnswers;
import io.bivouac.sandboxio.file.FileEntry;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.FormUploads;
import io.bivouac.sandboxio.file.WriteOrder;
import io.bivouac.sandboxmodel.error.BivouacException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads and writes contents, as plain bytes or as a form; both pass through as they come. */
@Controller("/files")
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class FileContents {
    private final Calls calls;
    private final SandboxCallers callers;
    private final Files files;
    private final ContentAnswers answers;
    private final FormUploads forms;

    FileContents(Calls calls, SandboxCallers callers, Files files, ContentAnswers answers, FormUploads forms) {
        this.calls = calls;
        this.callers = callers;
        this.files = files;
        this.answers = answers;
        this.forms = forms;
    }

    private FileUse use(HttpRequest<?> request, @Nullable String username) {
        var caller = callers.caller(request);
        return new FileUse(request.getHeaders().get(SandboxCallers.SANDBOX), caller, Call.ours(username));
    }

    @Get
    Mono<HttpResponse<?>> read(HttpRequest<?> request, @QueryValue String path, @Nullable @QueryValue String username) {
        return Mono.defer(() -> answers.read(use(request, username), path, false, request.getHeaders()))
                .<HttpResponse<?>>map(answer -> answer)
                .onErrorResume(failure -> Mono.just(refusal(request, failure)));
    }

    @Post
    @Consumes(MediaType.ALL)
    Mono<HttpResponse<?>> write(
            ServerHttpRequest<?> request, @Nullable @QueryValue String path, @Nullable @QueryValue String username) {
        var type = request.getHeaders().get(HttpHeaders.CONTENT_TYPE);
        if (type != null && type.startsWith(MediaType.MULTIPART_FORM_DATA)) {
            return Mono.just(writeForm(request, path, username));
        }
        var body = request.byteBody().move();
        return Mono.defer(() -> {
                    Flux<byte[]> contents = Flux.defer(body::toByteArrayPublisher);
                    return write(use(request, username), path, contents);
                })
                .<HttpResponse<?>>map(written -> calls.json(200, JsonNode.createArrayNode(List.of(written))))
                .onErrorResume(failure -> Mono.just(refusal(request, failure)))
                .doFinally(_ -> body.close());
    }

    private HttpResponse<?> writeForm(ServerHttpRequest<?> request, @Nullable String path, @Nullable String username) {
        var written = new ArrayList<JsonNode>();
        try {
            var use = use(request, username);
            forms.read(request, part -> {
                var contents = forms.published(part.contents());
                written.add(write(use, path == null ? part.fileName() : path, contents)
                        .block());
            });
            return calls.json(200, JsonNode.createArrayNode(written));
        } catch (BivouacException refused) {
            return refusal(request, refused);
        }
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
