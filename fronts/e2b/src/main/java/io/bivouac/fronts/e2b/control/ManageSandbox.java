package io.bivouac.fronts.e2b.control;

import io.bivouac.foundation.access.Caller;
import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.sandboxes.lifecycle.EndSandboxes;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

/** Shows and kills one sandbox, and says what cannot be done with it. */
@Controller("/sandboxes/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class ManageSandbox {
    private final Sandboxes sandboxes;
    private final EndSandboxes ends;
    private final Tokens tokens;

    ManageSandbox(Sandboxes sandboxes, EndSandboxes ends, Tokens tokens) {
        this.sandboxes = sandboxes;
        this.ends = ends;
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

    @Post(uris = {"/pause", "/snapshots", "/fork"})
    HttpResponse<Void> keep(SandboxId id, Caller caller) {
        sandboxes.get(id, caller);
        throw BivouacException.invalidRequest(
                "This server has no pause, snapshots or forks: the memory of a sandbox is not kept.");
    }
}
