package io.bivouac.functions.sandbox;

import io.bivouac.functions.sandbox.SandboxView.Timeline;
import io.bivouac.sandboxes.Sandbox;
import io.bivouac.sandboxes.SandboxState;
import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.Role;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;

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

    CreateSandbox(NewSandboxes newSandboxes, Upbringing upbringing, Replays replays) {
        this.newSandboxes = newSandboxes;
        this.upbringing = upbringing;
        this.replays = replays;
    }

    @Post
    HttpResponse<SandboxView> create(
            @Body CreateRequest request,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Header("Prefer") String prefer,
            @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
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
                return HttpResponse.accepted().body(newSandboxes.reveal(SandboxView.of(draft)));
            }
            var timed = upbringing.begin(draft.id());
            return answer(SandboxView.of(timed.sandbox(), timed.timeline()), caller, idempotencyKey);
        }
    }

    private HttpResponse<SandboxView> answer(SandboxView view, Caller caller, @Nullable String idempotencyKey) {
        if (view.state().equals(SandboxState.ERROR.wireName())) {
            throw new BivouacException(
                    ErrorCode.SANDBOX_FAILED,
                    "Sandbox " + view.id() + " did not start: " + view.stateReason() + ".",
                    Map.of("sandboxId", view.id()));
        }
        if (idempotencyKey != null) {
            replays.remember(idempotencyKey, caller, view);
        }
        var revealed = newSandboxes.reveal(view);
        // A start that takes longer than the wait goes on; the caller can see it come up.
        return view.state().equals(SandboxState.STARTING.wireName())
                ? HttpResponse.<SandboxView>accepted().body(revealed)
                : HttpResponse.created(revealed);
    }

    /** A sandbox and where the time of its start went. */
    record Timed(Sandbox sandbox, Timeline timeline) {}
}
