package io.bivouac.fronts.opensandbox.control;

import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;

/** What the SDKs tell and ask beside sandboxes. */
@Controller("/v1")
@Requires(condition = OpenSandboxIsOn.class)
class Reports {
    /** How long a create took as its client saw it; nothing is made of that. */
    @Post("/metrics/events")
    @Consumes("*/*")
    HttpResponse<Void> event() {
        return HttpResponse.noContent();
    }

    @Get("/snapshots{/id}")
    HttpResponse<Void> snapshots() {
        throw new BivouacException(
                ErrorCode.UNSUPPORTED_BY_RUNTIME,
                "This server has no snapshots: the memory of a sandbox is not copied.");
    }
}
