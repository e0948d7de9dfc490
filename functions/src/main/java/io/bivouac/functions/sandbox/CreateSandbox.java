package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxes.lifecycle.CreateSandboxes;
import io.bivouac.sandboxes.lifecycle.IdempotentCreates;
import io.bivouac.sandboxes.lifecycle.StartPlan;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.ErrorCode;
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
    private final CreateSandboxes creates;
    private final IdempotentCreates idempotent;
    private final CreateAnswers answers;
    private final ShownAddresses addresses;
    private final AccessTokens tokens;

    CreateSandbox(
            CreateSandboxes creates,
            IdempotentCreates idempotent,
            CreateAnswers answers,
            ShownAddresses addresses,
            AccessTokens tokens) {
        this.creates = creates;
        this.idempotent = idempotent;
        this.answers = answers;
        this.addresses = addresses;
        this.tokens = tokens;
    }

    @Post
    @Refuses({
        ErrorCode.TEMPLATE_NOT_FOUND,
        ErrorCode.WORKSPACE_NOT_FOUND,
        ErrorCode.CONFLICT,
        ErrorCode.UNSUPPORTED_BY_RUNTIME,
        ErrorCode.SANDBOX_FAILED
    })
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
        // A key that may not create hears so, whatever it sent.
        caller.mustBe(Role.DEVELOPER);
        boolean async = prefer != null && prefer.contains("respond-async");
        var plan = async ? StartPlan.IN_BACKGROUND : StartPlan.WAITING;
        var view = idempotencyKey == null
                ? answers.of(creates.create(request.order(), caller, plan).mustNotHaveFailed())
                : idempotent.create(answers.key(idempotencyKey, request), request::order, caller, plan, answers);
        // Only the maker is shown the token; and neither it nor the way to mount the workspace is stored with the
        // answer.
        var revealed = addresses.withNfs(view, caller).withAccessToken(tokens.current(new SandboxId(view.id())));
        return view.state().equals(SandboxState.STARTING.wireName())
                ? HttpResponse.<SandboxView>accepted().body(revealed)
                : HttpResponse.created(revealed);
    }
}
