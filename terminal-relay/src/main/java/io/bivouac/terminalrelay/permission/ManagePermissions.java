package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Answers;
import io.bivouac.http.Listing;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.terminalrelay.permission.Permissions.Verdict;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Set;

/** Questions for permission, and their answers, for approvers who are not attached to the asking terminal. */
@Tag(name = "permissions")
@Controller("/api/v1/permissions")
@ExecuteOn(TaskExecutors.BLOCKING)
class ManagePermissions {
    private static final Set<String> STATES = Set.of("open", "granted", "denied");
    private static final int LONGEST_REASON = 1024;

    private final Permissions permissions;
    private final Answers answers;

    ManagePermissions(Permissions permissions, Answers answers) {
        this.permissions = permissions;
        this.answers = answers;
    }

    /**
     * An approver's answer.
     *
     * @param granted taken as it is written: what is only like a truth value is no answer
     * @param expiresAt a yes covers the same question until then; absent for this once
     * @param scope how far a yes to the network reaches; absent for this once
     */
    @Serdeable
    record PermissionAnswer(
            @Nullable @Schema(type = "boolean", requiredMode = Schema.RequiredMode.REQUIRED)
            Object granted,

            @Nullable Instant expiresAt,
            @Schema(maxLength = LONGEST_REASON) @Nullable String reason,

            @Schema(allowableValues = {"once", "sandbox", "template"}) @Nullable String scope) {}

    @Get
    @Operation(operationId = "listPermissions", summary = "List questions for permission")
    Listing<PermissionView> list(
            @Parameter(schema = @Schema(allowableValues = {"open", "granted", "denied"})) @Nullable @QueryValue
                    String state,
            @Nullable @QueryValue String sandboxId,
            @Nullable @QueryValue String cursor,
            @Nullable @QueryValue Integer limit,
            @Parameter(hidden = true) Caller caller) {
        check(state);
        int most = Listing.limit(limit);
        var page = answers.page(
                caller,
                () -> permissions.list(caller, state, sandboxId, cursor, most).map(PermissionView::of));
        return Listing.of(page);
    }

    @Get("/{permissionId}")
    @Operation(operationId = "getPermission", summary = "Look at a question for permission")
    PermissionView get(String permissionId, @Parameter(hidden = true) Caller caller) {
        return PermissionView.of(permissions.get(permissionId, caller, null));
    }

    @Post("/{permissionId}/answer")
    @Operation(operationId = "answerPermission", summary = "Answer a question for permission")
    PermissionView answer(String permissionId, @Body PermissionAnswer answer, @Parameter(hidden = true) Caller caller) {
        return PermissionView.of(permissions.answer(permissionId, caller, null, verdict(answer)));
    }

    static Verdict verdict(PermissionAnswer answer) {
        if (!(answer.granted() instanceof Boolean granted)) {
            throw BivouacException.invalidRequest("granted must be true or false.");
        }
        if (answer.reason() != null && answer.reason().length() > LONGEST_REASON) {
            throw BivouacException.invalidRequest("reason must have at most " + LONGEST_REASON + " characters.");
        }
        return new Verdict(
                granted, answer.expiresAt(), answer.reason(), GrantScope.read(answer.scope()), System.nanoTime());
    }

    static void check(@Nullable String state) {
        if (state != null && !STATES.contains(state)) {
            throw BivouacException.invalidRequest("state must be open, granted or denied.");
        }
    }

    @Delete("/{permissionId}/grant")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(operationId = "revokeGrant", summary = "Take a lasting yes back")
    void revoke(String permissionId, @Parameter(hidden = true) Caller caller) {
        permissions.revoke(permissionId, caller, null);
    }
}
