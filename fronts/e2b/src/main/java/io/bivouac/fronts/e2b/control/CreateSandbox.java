package io.bivouac.fronts.e2b.control;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.sandboxes.lifecycle.CreateSandboxes;
import io.bivouac.sandboxes.lifecycle.StartPlan;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

/** Makes a sandbox, at the paths of both generations of the SDKs. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class CreateSandbox {
    private final CreateSandboxes creates;
    private final Tokens tokens;

    CreateSandbox(CreateSandboxes creates, Tokens tokens) {
        this.creates = creates;
        this.tokens = tokens;
    }

    @Post(uris = {"/sandboxes", "/v2/sandboxes"})
    HttpResponse<SandboxView> create(@Body CreateRequest request, Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var started = creates.create(request.order(), caller, StartPlan.WAITING).mustNotHaveFailed();
        return HttpResponse.created(tokens.shown(started.sandbox(), caller));
    }
}
