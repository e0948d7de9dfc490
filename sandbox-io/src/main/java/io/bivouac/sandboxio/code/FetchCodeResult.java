package io.bivouac.sandboxio.code;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/** One form of a result of a former run, as long as the sandbox keeps it. */
@Tag(name = "code")
@Controller("/api/v1/sandboxes/{id}/code/results")
class FetchCodeResult {
    private static final Pattern MEDIA_TYPE = Pattern.compile("[a-z]+/[A-Za-z0-9.+-]{1,100}");
    private static final String USUAL = "text/plain";

    private final Code code;

    FetchCodeResult(Code code) {
        this.code = code;
    }

    @Get("/{result}")
    @Produces(MediaType.ALL)
    @Refuses(ErrorCode.CODE_RESULT_NOT_FOUND)
    @Operation(operationId = "fetchCodeResult", summary = "Fetch one form of a result")
    @ApiResponse(
            responseCode = "200",
            description = "Its bytes",
            content = @Content(mediaType = MediaType.ALL, schema = @Schema(type = "string", format = "binary")))
    Mono<? extends HttpResponse<?>> fetch(
            String id, String result, @Nullable @QueryValue String type, @Parameter(hidden = true) Caller caller) {
        var wanted = type == null ? USUAL : type;
        if (!MEDIA_TYPE.matcher(wanted).matches()) {
            throw BivouacException.invalidRequest("type must be a media type, such as image/png.");
        }
        return code.result(id, caller, result, wanted)
                .map(bytes -> HttpResponse.ok(bytes)
                        .contentType(MediaType.of(wanted))
                        // The sandbox made it: nothing in it may act for whoever looks at it.
                        .header(
                                "Content-Security-Policy",
                                "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:")
                        .header("X-Content-Type-Options", "nosniff")
                        .header(HttpHeaders.CACHE_CONTROL, "private, no-store"));
    }
}
