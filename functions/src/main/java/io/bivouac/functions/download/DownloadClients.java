package io.bivouac.functions.download;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;

/** Gives the command line and the SDK out, without a login: there is nothing secret about them. */
@Hidden
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
class DownloadClients {
    private static final MediaType SCRIPT = new MediaType("text/javascript;charset=utf-8");
    private static final MediaType ARCHIVE = new MediaType("application/gzip");

    /** A program for Node in one file. */
    @Get("/cli")
    HttpResponse<StreamedFile> commandLine() {
        return download("bivouac.js", "bivouac", SCRIPT);
    }

    /** The package {@code @bivouac/sdk}, as npm takes it. */
    @Get("/sdk.tgz")
    HttpResponse<StreamedFile> sdk() {
        return download("sdk.tgz", "sdk.tgz", ARCHIVE);
    }

    private static HttpResponse<StreamedFile> download(String resource, String name, MediaType type) {
        var found = DownloadClients.class.getClassLoader().getResourceAsStream("clients/" + resource);
        if (found == null) {
            throw new BivouacException(ErrorCode.NOT_FOUND, "This server was built without " + resource + ".");
        }
        return HttpResponse.ok(new StreamedFile(found, type).attach(name))
                .header("X-Content-Type-Options", "nosniff")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header(HttpHeaders.CACHE_CONTROL, "no-cache");
    }
}
