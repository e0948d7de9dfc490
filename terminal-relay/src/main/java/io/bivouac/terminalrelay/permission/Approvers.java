package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.identity.JwtIssuer;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Who may answer: a developer or administrator of the sandbox's project; and for the sessions that a Pod granted, who
 * holds {@code acl:Control} on its terminals. Whoever a session runs for is no exception, in either direction. What is
 * inside a sandbox proves itself by a join token, which is no key to any door, so it cannot answer. Thread-safe.
 */
@Singleton
class Approvers {
    private final GuestApprovals guests;
    private final boolean hasIssuers;

    Approvers(GuestApprovals guests, List<JwtIssuer> issuers) {
        this.guests = guests;
        this.hasIssuers = !issuers.isEmpty();
    }

    /** @param origin the page that a guest's browser is on; null when no browser asks */
    void mustApprove(Caller caller, PermissionRequest request, @Nullable String origin) {
        caller.mustOwn(request.projectId(), "Permission request " + request.id());
        if (!caller.isGuest()) {
            caller.mustBe(Role.DEVELOPER);
        } else if (!guests.mayApprove(request.terminalId(), caller, origin)) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN,
                    "Permission requests of this session are answered by who holds acl:Control on the Pod's terminals.");
        }
    }

    /** For a guest it reads an ACL, and so it may take its time; for anybody else it asks nobody. */
    boolean mayApprove(Caller caller, Terminal terminal) {
        if (!caller.project().equals(terminal.projectId())) {
            return false;
        }
        return caller.isGuest()
                ? guests.mayApprove(terminal.id(), caller, null)
                : caller.role().includes(Role.DEVELOPER);
    }

    /** Those of the Pods, for a guest. */
    List<String> podsOf(Caller caller, @Nullable String origin) {
        return guests.controlledBy(caller, origin);
    }

    /**
     * Whether so many could answer at all. People whom other issuers know, or a Pod's ACL, cannot be counted, so they
     * may be there.
     */
    boolean areEnough(PermissionRequest request, long keysThatMayAnswer) {
        return hasIssuers || keysThatMayAnswer >= request.quorum() || guests.hasApprover(request.terminalId());
    }
}
