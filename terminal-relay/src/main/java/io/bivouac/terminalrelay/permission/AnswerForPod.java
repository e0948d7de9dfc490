package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Answers;
import io.bivouac.http.Listing;
import io.bivouac.terminalrelay.permission.ManagePermissions.PermissionAnswer;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Questions of the sessions that Pods granted, for those who come with a WebID that controls such a Pod's terminals. */
@Tag(name = "permissions")
@Controller("/-/terminal/permissions")
@ExecuteOn(TaskExecutors.BLOCKING)
class AnswerForPod {
    private final Permissions permissions;
    private final Answers answers;

    AnswerForPod(Permissions permissions, Answers answers) {
        this.permissions = permissions;
        this.answers = answers;
    }

    @Get
    @Operation(
            operationId = "listPodPermissions",
            summary = "List questions for permission that a Pod's ACL lets the caller answer")
    Listing<PermissionView> listOfPods(
            @Parameter(schema = @Schema(allowableValues = {"open", "granted", "denied"})) @Nullable @QueryValue
                    String state,
            @Nullable @QueryValue String cursor,
            @Nullable @QueryValue Integer limit,
            @Parameter(hidden = true) @Nullable @Header("Origin") String origin,
            @Parameter(hidden = true) Caller caller) {
        ManagePermissions.check(state);
        int most = Listing.limit(limit);
        var views = answers.page(
                caller,
                () -> (caller.isGuest()
                                ? permissions.listForGuest(caller, origin, state, cursor, most)
                                : permissions.list(caller, state, null, cursor, most))
                        .map(PermissionView::of));
        return Listing.of(views);
    }

    @Get("/{permissionId}")
    @Operation(operationId = "getPodPermission", summary = "Look at a question for permission of a Pod's session")
    PermissionView getOfPod(
            String permissionId,
            @Parameter(hidden = true) @Nullable @Header("Origin") String origin,
            @Parameter(hidden = true) Caller caller) {
        return PermissionView.of(permissions.get(permissionId, caller, origin));
    }

    @Post("/{permissionId}/answer")
    @Operation(operationId = "answerPodPermission", summary = "Answer a question for permission of a Pod's session")
    PermissionView answerForPod(
            String permissionId,
            @Body PermissionAnswer answer,
            @Parameter(hidden = true) @Nullable @Header("Origin") String origin,
            @Parameter(hidden = true) Caller caller) {
        var verdict = ManagePermissions.verdict(answer);
        return PermissionView.of(permissions.answer(permissionId, caller, origin, verdict));
    }

    @Delete("/{permissionId}/grant")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(operationId = "revokePodGrant", summary = "Take a lasting yes back, for a Pod's session")
    void revokeForPod(
            String permissionId,
            @Parameter(hidden = true) @Nullable @Header("Origin") String origin,
            @Parameter(hidden = true) Caller caller) {
        permissions.revoke(permissionId, caller, origin);
    }
}
