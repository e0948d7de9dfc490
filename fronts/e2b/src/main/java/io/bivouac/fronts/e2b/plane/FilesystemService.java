package io.bivouac.fronts.e2b.plane;

import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.ListOrder;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
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
import reactor.core.publisher.Mono;

/** Files and folders: looked at, listed, made, moved and removed. */
@Controller("/filesystem.Filesystem")
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class FilesystemService {
    private final Calls calls;
    private final Files files;

    FilesystemService(Calls calls, Files files) {
        this.calls = calls;
        this.files = files;
    }

    private static FileUse use(Call call) {
        return new FileUse(call.sandbox(), call.caller(), call.user());
    }

    private static String path(Call call, String field) {
        var path = Json.text(call.message(), field);
        if (path == null || path.isEmpty()) {
            throw BivouacException.invalidRequest(field + " is missing.");
        }
        return path;
    }

    @Post("/Stat")
    Mono<HttpResponse<?>> stat(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(
                request,
                body,
                call -> files.stat(use(call), path(call, "path")).map(entry -> Json.of("entry", Entries.of(entry))));
    }

    @Post("/ListDir")
    Mono<HttpResponse<?>> list(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(request, body, call -> {
            int depth = Math.clamp(Json.number(call.message(), "depth"), 1, ListOrder.DEEPEST);
            var order = new ListOrder(path(call, "path"), depth, ListOrder.LARGEST_LIMIT, null);
            return files.list(use(call), order)
                    .map(page -> Json.of(
                            "entries",
                            JsonNode.createArrayNode(
                                    page.entries().stream().map(Entries::of).toList())));
        });
    }

    /** The SDKs tell from a refusal that the folder was there before. */
    @Post("/MakeDir")
    Mono<HttpResponse<?>> makeFolder(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(request, body, call -> {
            var path = path(call, "path");
            return files.stat(use(call), path)
                    .<JsonNode>flatMap(_ -> Mono.error(
                            new BivouacException(ErrorCode.FILE_EXISTS, "There is something at " + path + " already.")))
                    .onErrorResume(
                            FilesystemService::isMissing,
                            _ -> files.makeFolder(use(call), path, null, true)
                                    .map(entry -> Json.of("entry", Entries.of(entry))));
        });
    }

    private static boolean isMissing(Throwable failure) {
        return failure instanceof BivouacException refusal && refusal.code() == ErrorCode.FILE_NOT_FOUND;
    }

    @Post("/Move")
    Mono<HttpResponse<?>> move(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(
                request,
                body,
                call -> files.move(use(call), path(call, "source"), path(call, "destination"), true)
                        .map(entry -> Json.of("entry", Entries.of(entry))));
    }

    @Post("/Remove")
    Mono<HttpResponse<?>> remove(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(
                request,
                body,
                call -> files.remove(use(call), path(call, "path"), true)
                        .onErrorResume(FilesystemService::isMissing, _ -> Mono.empty())
                        .thenReturn(Json.EMPTY));
    }
}
