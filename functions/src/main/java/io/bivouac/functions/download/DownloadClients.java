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
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Gives the command line and the SDKs out, without a login: there is nothing secret about them. */
@Hidden
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
class DownloadClients {
    private static final MediaType SCRIPT = new MediaType("text/javascript;charset=utf-8");
    private static final MediaType WHEEL = new MediaType("application/zip");
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

    /** The package {@code bivouac-sdk}, under the name that pip demands of a wheel. */
    @Get("/sdk-python.whl")
    HttpResponse<StreamedFile> pythonSdk() throws IOException {
        try (var name = found("sdk-python.name")) {
            return download("sdk-python.whl", new String(name.readAllBytes(), StandardCharsets.UTF_8), WHEEL);
        }
    }

    private static HttpResponse<StreamedFile> download(String resource, String name, MediaType type) {
        return HttpResponse.ok(new StreamedFile(found(resource), type).attach(name))
                .header("X-Content-Type-Options", "nosniff")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header(HttpHeaders.CACHE_CONTROL, "no-cache");
    }

    private static InputStream found(String resource) {
        var found = DownloadClients.class.getClassLoader().getResourceAsStream("clients/" + resource);
        if (found == null) {
            throw new BivouacException(ErrorCode.NOT_FOUND, "This server was built without " + resource + ".");
        }
        return found;
    }
}
