package io.bivouac.sandboxio.file;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.settings.PublicUrl;
import io.bivouac.sandboxio.file.FileLinks.Claim;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.uri.UriBuilder;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import reactor.core.publisher.Mono;

/** Makes a link that works without a key, for one path and one method, until a time. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class MakeLink {
    private static final long DEFAULT_SECONDS = 3_600;

    private final FileLinks links;
    private final LinkPermission permission;
    private final FileSettings settings;
    private final PublicUrl publicUrl;

    MakeLink(FileLinks links, LinkPermission permission, FileSettings settings, PublicUrl publicUrl) {
        this.links = links;
        this.permission = permission;
        this.settings = settings;
        this.publicUrl = publicUrl;
    }

    /** Which path, to read it (GET, unless it says otherwise) or to write it (PUT), and for how long. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Request(
            @Schema(maxLength = 4096, requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String path,

            @Schema(allowableValues = {"GET", "PUT"}) @Nullable String method,

            @Schema(minimum = "1") @Nullable Long expiresInSeconds) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Link(String url, String method, Instant expiresAt) {}

    @Post("/links")
    @Operation(operationId = "makeFileLink", summary = "Make a link to a file of a sandbox")
    @ApiResponse(
            responseCode = "201",
            description = "The link",
            content = @Content(schema = @Schema(implementation = Link.class)))
    Mono<HttpResponse<Link>> make(
            String id,
            @Body Request request,
            @Parameter(hidden = true) Caller caller,
            @Parameter(hidden = true) HttpRequest<?> http) {
        var path = FileRequests.path("path", request.path());
        var method = request.method() == null ? "GET" : request.method();
        long seconds = request.expiresInSeconds() == null ? DEFAULT_SECONDS : request.expiresInSeconds();
        long longest = settings.getLongestLink().toSeconds();
        if (seconds < 1 || seconds > longest) {
            throw FileRequests.invalid("expiresInSeconds must be between 1 and " + longest + ".");
        }
        return permission.check(new FileUse(id, caller, null), method, path).map(sandbox -> {
            var end = Instant.ofEpochSecond(links.now().getEpochSecond() + seconds);
            var claim = new Claim(method, path, end.getEpochSecond(), caller.id());
            return HttpResponse.created(new Link(url(http, sandbox, claim), method, end));
        });
    }

    private String url(HttpRequest<?> http, SandboxId sandbox, Claim claim) {
        var base =
                publicUrl.text().orElseGet(() -> "http://" + http.getHeaders().get("Host"));
        return UriBuilder.of(base)
                .path(UseLink.PATH)
                .path(sandbox.value())
                .queryParam("path", claim.path())
                .queryParam("expires", claim.expires())
                .queryParam("by", claim.by())
                .queryParam("signature", links.sign(sandbox, claim))
                .build()
                .toString();
    }
}
