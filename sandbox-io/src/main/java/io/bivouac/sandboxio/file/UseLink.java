package io.bivouac.sandboxio.file;

import io.bivouac.http.connection.HttpConnection;
import io.bivouac.sandboxio.file.FileLinks.Claim;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.List;
import reactor.core.publisher.Mono;

/** What a link opens. Outside of the API, so that no key is asked for; what it says is in the query, which is logged nowhere. */
@Hidden
@Controller(UseLink.PATH)
class UseLink {
    static final String PATH = "/files";

    private final FileLinks links;
    private final ContentAnswers answers;
    private final ContentUploads uploads;

    UseLink(FileLinks links, ContentAnswers answers, ContentUploads uploads) {
        this.links = links;
        this.answers = answers;
        this.uploads = uploads;
    }

    @Get("/{id}")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @ExecuteOn(TaskExecutors.BLOCKING)
    Mono<? extends HttpResponse<?>> read(
            String id,
            @QueryValue String path,
            @QueryValue long expires,
            @QueryValue String by,
            @QueryValue String signature,
            HttpRequest<?> request) {
        var use = use(id, new Claim("GET", path, expires, by), signature, request);
        return answers.read(use, FileRequests.path("path", path), true, request.getHeaders());
    }

    @Put("/{id}")
    @Consumes(MediaType.ALL)
    @ExecuteOn(TaskExecutors.BLOCKING)
    Mono<? extends HttpResponse<?>> write(
            String id,
            @QueryValue String path,
            @QueryValue long expires,
            @QueryValue String by,
            @QueryValue String signature,
            ServerHttpRequest<?> request) {
        var use = use(id, new Claim("PUT", path, expires, by), signature, request);
        var part = UploadPart.read(request.getHeaders().get(HttpHeaders.CONTENT_RANGE));
        var order = new WriteOrder(FileRequests.path("path", path), null, false, false, List.of(), part);
        return uploads.write(use, order, request);
    }

    private FileUse use(String id, Claim claim, String signature, HttpRequest<?> request) {
        var use = new FileUse(id, links.redeem(SandboxId.parse(id), claim, signature), null);
        HttpConnection.prove(request);
        return use;
    }
}
