package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.Optional;

/** The port to whoever grants terminals to guests, and so says which guests answer for those terminals. */
public interface GuestApprovals {
    /**
     * Whether the caller may answer for a terminal that was granted to a guest.
     *
     * @param origin the page that the caller's browser is on; null without a browser
     */
    boolean mayApprove(@Nullable String terminal, Caller caller, @Nullable String origin);

    /** Whether any guest may answer for this terminal. */
    boolean hasApprover(@Nullable String terminal);

    /** The addresses of the Pods for whose terminals this caller answers. */
    List<String> controlledBy(Caller caller, @Nullable String origin);

    /** The Pod whose ACL lets the terminal's programs do this without asking a person; empty when none does. */
    Optional<String> preAuthorizes(@Nullable String terminal, String action, String resource);
}
