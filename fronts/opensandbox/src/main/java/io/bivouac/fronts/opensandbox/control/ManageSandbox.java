package io.bivouac.fronts.opensandbox.control;

import io.bivouac.foundation.access.Caller;
import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.sandboxes.lifecycle.EndSandboxes;
import io.bivouac.sandboxes.lifecycle.PauseSandboxes;
import io.bivouac.sandboxes.lifecycle.SandboxOrder;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.lifecycle.StartSandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Shows, renews, pauses, resumes and deletes one sandbox, and says what cannot be done with it. */
@Controller("/v1/sandboxes/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class ManageSandbox {
    private final Sandboxes sandboxes;
    private final StartSandboxes starts;
    private final EndSandboxes ends;
    private final PauseSandboxes pauses;

    ManageSandbox(Sandboxes sandboxes, StartSandboxes starts, EndSandboxes ends, PauseSandboxes pauses) {
        this.sandboxes = sandboxes;
        this.starts = starts;
        this.ends = ends;
        this.pauses = pauses;
    }

    /** @param expiresAt with any offset */
    @Serdeable
    record Renewal(@Nullable String expiresAt) {
        Duration fromNow() {
            try {
                var end =
                        OffsetDateTime.parse(expiresAt == null ? "" : expiresAt).toInstant();
                return SandboxOrder.timeout(Duration.between(Instant.now(), end).toSeconds());
            } catch (DateTimeParseException noTime) {
                throw BivouacException.invalidRequest("expiresAt must be a time with an offset (RFC 3339).");
            }
        }
    }

    @Serdeable
    record Renewed(Instant expiresAt) {}

    @Get
    SandboxView show(SandboxId id, Caller caller) {
        return SandboxView.of(sandboxes.get(id, caller));
    }

    @Delete
    HttpResponse<Void> delete(SandboxId id, Caller caller) {
        ends.delete(id, false, caller);
        return HttpResponse.noContent();
    }

    @Post("/renew-expiration")
    Renewed renew(SandboxId id, @Body Renewal renewal, Caller caller) {
        var renewed = sandboxes.endAfter(id, caller, renewal.fromNow());
        return new Renewed(renewed.lifetime().expiresAt());
    }

    @Post("/resume")
    HttpResponse<Void> resume(SandboxId id, Caller caller) {
        if (sandboxes.get(id, caller).state() == SandboxState.PAUSED) {
            pauses.resume(id, caller);
        } else {
            starts.start(id, caller);
        }
        return HttpResponse.accepted();
    }

    @Post("/pause")
    HttpResponse<Void> pause(SandboxId id, Caller caller) {
        pauses.pause(id, caller);
        return HttpResponse.accepted();
    }

    @Post("/snapshots")
    HttpResponse<Void> keep(SandboxId id, Caller caller) {
        sandboxes.get(id, caller);
        throw new BivouacException(
                ErrorCode.UNSUPPORTED_BY_RUNTIME,
                "This server has no snapshots: the memory of a sandbox is not copied.");
    }

    @Patch("/metadata")
    HttpResponse<Void> label(SandboxId id, Caller caller) {
        sandboxes.get(id, caller);
        throw new BivouacException(
                ErrorCode.UNSUPPORTED_BY_RUNTIME, "The metadata of a sandbox are those that it was made with.");
    }
}
