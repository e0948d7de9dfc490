package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.functions.sandbox.SandboxView.Timeline;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxState;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

/**
 * Makes a sandbox and waits until it runs. With {@code Prefer: respond-async} it answers 202 at once; with an
 * {@code Idempotency-Key} a retry gives the same sandbox.
 */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class CreateSandbox {
    private final NewSandboxes newSandboxes;
    private final Upbringing upbringing;
    private final Replays replays;
    private final ShownPorts ports;

    CreateSandbox(NewSandboxes newSandboxes, Upbringing upbringing, Replays replays, ShownPorts ports) {
        this.newSandboxes = newSandboxes;
        this.upbringing = upbringing;
        this.replays = replays;
        this.ports = ports;
    }

    @Post
    @Operation(operationId = "createSandbox", summary = "Makes a sandbox and waits until it runs")
    @ApiResponse(
            responseCode = "201",
            description = "It runs",
            content = @Content(schema = @Schema(implementation = SandboxView.class)))
    @ApiResponse(
            responseCode = "202",
            description = "It is starting",
            content = @Content(schema = @Schema(implementation = SandboxView.class)))
    HttpResponse<SandboxView> create(
            @Body CreateRequest request,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Header("Prefer") String prefer,
            @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        if (idempotencyKey != null) {
            // Before anything is checked: what was right then may no longer be, and the answer is the same.
            var earlier = replays.earlier(idempotencyKey, request, caller);
            if (earlier.isPresent()) {
                return answer(earlier.get(), caller, null);
            }
        }
        var draft = newSandboxes.draft(request, caller);
        try (var _ = upbringing.take(draft.id())) {
            if (idempotencyKey == null) {
                newSandboxes.store(draft);
            } else {
                var earlier = replays.storeOnce(idempotencyKey, request, draft);
                if (earlier.isPresent()) {
                    return answer(earlier.get(), caller, null);
                }
            }
            if (prefer != null && prefer.contains("respond-async")) {
                upbringing.beginInBackground(draft.id());
                return answer(SandboxView.of(draft), caller, idempotencyKey);
            }
            var timed = upbringing.begin(draft.id());
            return answer(ports.on(SandboxView.of(timed.sandbox(), timed.timeline())), caller, idempotencyKey);
        }
    }

    private HttpResponse<SandboxView> answer(SandboxView view, Caller caller, @Nullable String idempotencyKey) {
        view.mustNotHaveFailed();
        if (idempotencyKey != null) {
            replays.remember(idempotencyKey, caller, view);
        }
        var revealed = newSandboxes.reveal(view);
        if (view.state().equals(SandboxState.STARTING.wireName())) {
            // A start that takes longer than the wait goes on; the caller can see it come up.
            newSandboxes.makeDurable();
            return HttpResponse.<SandboxView>accepted().body(revealed);
        }
        return HttpResponse.created(revealed);
    }

    /** A sandbox and where the time of its start went. */
    record Timed(Sandbox sandbox, Timeline timeline) {}
}
