package io.bivouac.fronts.opensandbox.execd;

import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.fronts.opensandbox.Plane;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.ListOrder;
import io.bivouac.sandboxmodel.SandboxId;
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
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Folders: made, listed and removed. */
@Controller(Plane.EXECD + "/directories")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class ManageFolders {
    private final Insiders insiders;
    private final Files files;

    ManageFolders(Insiders insiders, Files files) {
        this.insiders = insiders;
        this.files = files;
    }

    @Post
    Mono<HttpResponse<Void>> make(SandboxId id, @Body Map<String, Permission> folders, HttpRequest<?> http) {
        var use = insiders.files(id, http);
        return Flux.fromIterable(folders.entrySet())
                .concatMap(one -> make(use, one.getKey(), one.getValue()))
                .then(Mono.fromSupplier(HttpResponse::ok));
    }

    private Mono<Void> make(FileUse use, String path, Permission permission) {
        var made = files.makeFolder(use, path, permission.bits(), true);
        return permission.owner() == null || permission.owner().isEmpty()
                ? made.then()
                : made.then(permission.give(files, use, path)).then();
    }

    /** A folder that is missing is removed already. */
    @Delete
    Mono<HttpResponse<Void>> remove(SandboxId id, @QueryValue List<String> path, HttpRequest<?> http) {
        var use = insiders.files(id, http);
        return Flux.fromIterable(path)
                .concatMap(one -> files.remove(use, one, true).onErrorResume(ManageFiles::isMissing, _ -> Mono.empty()))
                .then(Mono.fromSupplier(HttpResponse::ok));
    }

    @Get("/list")
    Mono<List<EntryView>> list(
            SandboxId id, @QueryValue String path, @Nullable @QueryValue Integer depth, HttpRequest<?> http) {
        int levels = Math.clamp(depth == null ? 1 : depth, 1, ListOrder.DEEPEST);
        var order = new ListOrder(path, levels, ListOrder.LARGEST_LIMIT, null);
        return files.list(insiders.files(id, http), order)
                .map(page -> page.entries().stream().map(EntryView::of).toList());
    }
}
