package io.bivouac.fronts.opensandbox.control;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.settings.PublicUrl;
import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.fronts.opensandbox.Plane;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxes.token.WorkTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;

/** Says where a port of a sandbox is found, and what opens it. */
@Controller("/v1/sandboxes/{id}/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class Endpoints {
    private static final int LARGEST_PORT = 65_535;
    private static final String ACCESS_TOKEN = "X-Access-Token";

    private final Sandboxes sandboxes;
    private final WorkTokens work;
    private final AccessTokens access;
    private final PublicUrl publicUrl;

    Endpoints(Sandboxes sandboxes, WorkTokens work, AccessTokens access, PublicUrl publicUrl) {
        this.sandboxes = sandboxes;
        this.work = work;
        this.access = access;
        this.publicUrl = publicUrl;
    }

    /**
     * Where a port is.
     *
     * @param endpoint host and path, to which the SDKs add a protocol
     * @param headers to be sent with each request to it
     */
    @Serdeable
    record Endpoint(String endpoint, Map<String, String> headers) {}

    @Get("/{port}")
    Endpoint endpoint(SandboxId id, int port, HttpRequest<?> request, Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        if (port < 1 || port > LARGEST_PORT) {
            throw BivouacException.invalidRequest("The port must be between 1 and " + LARGEST_PORT + ".");
        }
        var sandbox = sandboxes.get(id, caller).id();
        return Plane.isServed(port)
                ? new Endpoint(here(request) + Plane.path(sandbox, port), Map.of(Plane.TOKEN, work.current(sandbox)))
                : new Endpoint(
                        here(request) + "/sandbox/" + sandbox + "/port/" + port,
                        Map.of(ACCESS_TOKEN, access.current(sandbox)));
    }

    /** Without a public URL, the address that the client came to, which was checked to be ours. */
    private String here(HttpRequest<?> request) {
        return publicUrl
                .text()
                .map(url -> url.substring(url.indexOf("://") + 3))
                .orElseGet(() -> request.getHeaders().get(HttpHeaders.HOST));
    }
}
