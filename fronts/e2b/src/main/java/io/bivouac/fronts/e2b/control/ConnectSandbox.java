package io.bivouac.fronts.e2b.control;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.sandboxes.lifecycle.PauseSandboxes;
import io.bivouac.sandboxes.lifecycle.SandboxOrder;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.lifecycle.StartSandboxes;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;

/** Opens a sandbox that is there, has one that was paused or stopped go on, and sets when a sandbox ends. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class ConnectSandbox {
    private final Sandboxes sandboxes;
    private final StartSandboxes starts;
    private final PauseSandboxes pauses;
    private final Tokens tokens;

    ConnectSandbox(Sandboxes sandboxes, StartSandboxes starts, PauseSandboxes pauses, Tokens tokens) {
        this.sandboxes = sandboxes;
        this.starts = starts;
        this.pauses = pauses;
        this.tokens = tokens;
    }

    /** @param timeout in seconds from now */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Request(@Nullable Long timeout) {
        Duration duration() {
            return SandboxOrder.timeout(timeout == null ? CreateRequest.DEFAULT_TIMEOUT : timeout);
        }
    }

    @Post(uris = {"/sandboxes/{id}/connect", "/v2/sandboxes/{id}/connect"})
    HttpResponse<SandboxView> connect(SandboxId id, @Body Request request, Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var found = sandboxes.get(id, caller);
        var running = running(found, caller);
        var view = tokens.shown(atLeast(running, request.duration(), caller), caller);
        return found.state() == running.state() ? HttpResponse.ok(view) : HttpResponse.created(view);
    }

    private Sandbox running(Sandbox found, Caller caller) {
        return switch (found.state()) {
            case STOPPED -> starts.start(found.id(), caller).sandbox();
            case PAUSED -> pauses.resume(found.id(), caller);
            case STARTING, RUNNING, STOPPING, ERROR, DELETED -> found;
        };
    }

    /** A connect never takes time away, as another client may count on it. */
    private Sandbox atLeast(Sandbox sandbox, Duration timeout, Caller caller) {
        return sandbox.lifetime().expiresAt().isBefore(Instant.now().plus(timeout))
                ? sandboxes.endAfter(sandbox.id(), caller, timeout)
                : sandbox;
    }

    @Post("/sandboxes/{id}/timeout")
    HttpResponse<Void> setTimeout(SandboxId id, @Body Request request, Caller caller) {
        sandboxes.endAfter(id, caller, request.duration());
        return HttpResponse.noContent();
    }
}
