package io.bivouac.sessions.pod;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.TrustedOrigins;
import io.bivouac.foundation.access.Visitor;
import io.bivouac.sessions.acl.Mode;
import io.bivouac.sessions.acl.Requester;
import io.bivouac.terminalrelay.permission.GuestApprovals;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a Pod's ACL says about the questions of the sessions that it granted: who may answer them, and what need not be
 * asked. It is read anew each time; one that cannot be read says no. Thread-safe.
 */
@Singleton
class PodApprovals implements GuestApprovals {
    private static final Logger LOG = LoggerFactory.getLogger(PodApprovals.class);

    private final PodSessionRows rows;
    private final Pods pods;
    private final PodAccess access;
    private final PodTerminalRules terminals;
    private final TrustedOrigins origins;

    PodApprovals(PodSessionRows rows, Pods pods, PodAccess access, PodTerminalRules terminals, TrustedOrigins origins) {
        this.rows = rows;
        this.pods = pods;
        this.access = access;
        this.terminals = terminals;
        this.origins = origins;
    }

    private interface Question {
        boolean ask(Pod pod) throws PodUnreadable;
    }

    private static boolean says(Pod pod, Question question) {
        try {
            return question.ask(pod);
        } catch (PodUnreadable unreadable) {
            LOG.info("The ACL of {} cannot be read, so it allows nothing: {}", pod.url(), unreadable.getMessage());
            return false;
        }
    }

    /** Whether the caller holds {@code acl:Control} on the terminals of the Pod that granted this one. */
    @Override
    public boolean mayApprove(@Nullable String terminal, Caller caller, @Nullable String origin) {
        var session = session(terminal);
        if (session.isEmpty()) {
            return false;
        }
        // A ticket does not say by which program its holder logged in; a session's own guest did so before.
        var visitor =
                caller.visitor() == null && caller.id().equals(session.get().webId())
                        ? session.get().visitor()
                        : caller.visitor();
        return visitor != null
                && pods.find(session.get().pod())
                        .filter(pod -> controls(pod, visitor, origin))
                        .isPresent();
    }

    private boolean controls(Pod pod, Visitor visitor, @Nullable String origin) {
        var requester = requester(visitor, origin);
        return says(pod, one -> access.modes(one, Pod.TERMINAL, requester).contains(Mode.CONTROL));
    }

    private Requester requester(Visitor visitor, @Nullable String origin) {
        return new Requester(visitor, origin, origin != null && origins.include(origin));
    }

    /** Whether anybody may approve so. */
    @Override
    public boolean hasApprover(@Nullable String terminal) {
        return session(terminal)
                .flatMap(session -> pods.find(session.pod()))
                .filter(pod -> says(pod, one -> access.isGrantedToAnybody(one, Pod.TERMINAL, Mode.CONTROL)))
                .isPresent();
    }

    /** The addresses of the Pods about whose terminals this caller decides. */
    @Override
    public List<String> controlledBy(Caller caller, @Nullable String origin) {
        var controlled = new ArrayList<String>();
        if (caller.visitor() != null) {
            pods.all().stream()
                    .filter(pod -> controls(pod, caller.visitor(), origin))
                    .forEach(pod -> controlled.add(pod.url()));
        }
        return controlled;
    }

    /** The Pod whose ACL lets the terminal's programs do this without asking a person; nothing when none does. */
    @Override
    public Optional<String> preAuthorizes(@Nullable String terminal, String action, String resource) {
        return session(terminal)
                .flatMap(session -> pods.find(session.pod())
                        .filter(pod -> says(
                                pod,
                                one -> terminals.preAuthorizes(
                                        one,
                                        session.ask(),
                                        requester(session.visitor(), session.origin()),
                                        action,
                                        resource))))
                .map(Pod::url);
    }

    private Optional<PodSession> session(@Nullable String terminal) {
        return terminal == null ? Optional.empty() : rows.findById(terminal);
    }
}
