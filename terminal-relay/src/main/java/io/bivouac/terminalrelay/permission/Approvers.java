package io.bivouac.terminalrelay.permission;

import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.Role;
import io.bivouac.terminalrelay.identity.JwtIssuer;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Who may answer: a developer or administrator of the sandbox's project. Whoever a session runs for is no exception,
 * in either direction. What is inside a sandbox proves itself by a join token, which is no key to any door, so it
 * cannot answer. Thread-safe.
 */
@Singleton
class Approvers {
    private final PermissionRows rows;
    private final boolean hasIssuers;

    Approvers(PermissionRows rows, List<JwtIssuer> issuers) {
        this.rows = rows;
        this.hasIssuers = !issuers.isEmpty();
    }

    void mustApprove(Caller caller, PermissionRequest request) {
        caller.mustOwn(request.projectId(), "Permission request " + request.id());
        caller.mustBe(Role.DEVELOPER);
    }

    boolean mayApprove(Caller caller, String project) {
        return caller.project().equals(project) && caller.role().includes(Role.DEVELOPER);
    }

    /** Whether so many could answer at all. People whom other issuers know cannot be counted, so they may be there. */
    boolean areEnough(String project, int quorum) {
        return hasIssuers || rows.countKeysThatMayAnswer(project) >= quorum;
    }
}
