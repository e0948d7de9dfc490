package io.bivouac.fronts.e2b.control;

import io.bivouac.foundation.access.Caller;
import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.sandboxes.lifecycle.EndSandboxes;
import io.bivouac.sandboxes.lifecycle.PauseSandboxes;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

/** Shows, pauses and kills one sandbox, and says what cannot be done with it. */
@Controller("/sandboxes/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class ManageSandbox {
    private final Sandboxes sandboxes;
    private final EndSandboxes ends;
    private final PauseSandboxes pauses;
    private final Tokens tokens;

    ManageSandbox(Sandboxes sandboxes, EndSandboxes ends, PauseSandboxes pauses, Tokens tokens) {
        this.sandboxes = sandboxes;
        this.ends = ends;
        this.pauses = pauses;
        this.tokens = tokens;
    }

    @Get
    SandboxView show(SandboxId id, Caller caller) {
        return tokens.shown(sandboxes.get(id, caller), caller);
    }

    @Delete
    HttpResponse<Void> kill(SandboxId id, Caller caller) {
        ends.delete(id, false, caller);
        return HttpResponse.noContent();
    }

    /** The SDKs tell from a conflict that it was paused before. */
    @Post("/pause")
    HttpResponse<Void> pause(SandboxId id, Caller caller) {
        if (sandboxes.get(id, caller).state() == SandboxState.PAUSED) {
            throw new BivouacException(ErrorCode.CONFLICT, "Sandbox " + id + " is paused already.");
        }
        pauses.pause(id, caller);
        return HttpResponse.noContent();
    }

    @Post(uris = {"/snapshots", "/fork"})
    HttpResponse<Void> keep(SandboxId id, Caller caller) {
        sandboxes.get(id, caller);
        throw BivouacException.invalidRequest(
                "This server has no snapshots or forks: the memory of a sandbox is not copied.");
    }
}
