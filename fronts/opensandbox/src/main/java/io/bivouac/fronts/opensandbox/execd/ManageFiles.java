package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.fronts.opensandbox.Plane;
import io.bivouac.sandboxio.file.FileType;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.ListOrder;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.PatternSyntaxException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Files: looked at, found, moved, given away, changed and removed. */
@Controller(Plane.EXECD + "/files")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class ManageFiles {
    private final Insiders insiders;
    private final Files files;
    private final Replacements replacements;

    ManageFiles(Insiders insiders, Files files, Replacements replacements) {
        this.insiders = insiders;
        this.files = files;
        this.replacements = replacements;
    }

    static boolean isMissing(Throwable failure) {
        return failure instanceof BivouacException refusal && refusal.code() == ErrorCode.FILE_NOT_FOUND;
    }

    @Get("/info")
    Mono<Map<String, EntryView>> info(SandboxId id, @QueryValue List<String> path, HttpRequest<?> http) {
        var use = insiders.files(id, http);
        return Flux.fromIterable(path)
                .concatMap(one -> files.stat(use, one).map(entry -> Map.entry(one, EntryView.of(entry))))
                .collect(LinkedHashMap::new, (all, one) -> all.put(one.getKey(), one.getValue()));
    }

    /** A file that is missing is removed already. */
    @Delete
    Mono<HttpResponse<Void>> remove(SandboxId id, @QueryValue List<String> path, HttpRequest<?> http) {
        var use = insiders.files(id, http);
        return Flux.fromIterable(path)
                .concatMap(
                        one -> files.remove(use, one, false).onErrorResume(ManageFiles::isMissing, _ -> Mono.empty()))
                .then(Mono.fromSupplier(HttpResponse::ok));
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Move(String src, String dest) {}

    @Post("/mv")
    Mono<HttpResponse<Void>> move(SandboxId id, @Body List<Move> moves, HttpRequest<?> http) {
        var use = insiders.files(id, http);
        return Flux.fromIterable(moves)
                .concatMap(move -> files.move(use, move.src(), move.dest(), true))
                .then(Mono.fromSupplier(HttpResponse::ok));
    }

    @Post("/permissions")
    Mono<HttpResponse<Void>> permit(SandboxId id, @Body Map<String, Permission> permissions, HttpRequest<?> http) {
        var use = insiders.files(id, http);
        return Flux.fromIterable(permissions.entrySet())
                .concatMap(one -> one.getValue().give(files, use, one.getKey()))
                .then(Mono.fromSupplier(HttpResponse::ok));
    }

    /** Files below a folder whose name fits; folders and links are passed over. */
    @Get("/search")
    Mono<List<EntryView>> search(
            SandboxId id, @QueryValue String path, @Nullable @QueryValue String pattern, HttpRequest<?> http) {
        var fits = matcher(pattern == null || pattern.isEmpty() ? "**" : pattern);
        var order = new ListOrder(path, ListOrder.DEEPEST, ListOrder.LARGEST_LIMIT, null);
        return files.list(insiders.files(id, http), order)
                .map(page -> page.entries().stream()
                        .filter(entry -> entry.type() == FileType.FILE && fits.matches(Path.of(entry.name())))
                        .map(EntryView::of)
                        .toList());
    }

    private static PathMatcher matcher(String glob) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException wrong) {
            throw BivouacException.invalidRequest("pattern is no glob: " + wrong.getDescription() + ".");
        }
    }

    /** @param verbose whether the answer counts what was replaced */
    @Post("/replace")
    Mono<HttpResponse<?>> replace(
            SandboxId id,
            @Body Map<String, Replacements.Replacement> asked,
            @Nullable @QueryValue String verbose,
            HttpRequest<?> http) {
        var use = insiders.files(id, http);
        return Flux.fromIterable(asked.entrySet())
                .concatMap(one -> replacements
                        .replace(use, one.getKey(), one.getValue())
                        .map(count -> Map.entry(one.getKey(), new Replacements.Replaced(count))))
                .collect(
                        LinkedHashMap<String, Replacements.Replaced>::new,
                        (all, one) -> all.put(one.getKey(), one.getValue()))
                .map(all -> "true".equals(verbose) ? HttpResponse.ok(all) : HttpResponse.ok());
    }
}
