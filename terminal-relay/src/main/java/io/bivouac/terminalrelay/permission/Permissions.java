package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxio.text.ShownText;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.transition.Happening.PermissionRequested;
import io.bivouac.sandboxmodel.transition.Happening.PermissionResolved;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Keeps questions and answers, and says and audits each in the transaction that stores it. Thread-safe.
 */
@Singleton
public class Permissions {
    /** Who acts when nobody does. */
    private static final String NOBODY = "system";

    /** Who decides when a Pod's ACL has done so before. */
    private static final String BY_ACL = "acl";

    private static final int LONGEST_REASON = 1024;

    private final PermissionRows rows;
    private final Approvers approvers;
    private final SandboxStore store;
    private final Audit audit;
    private final PermissionSettings settings;
    private final TransactionOperations<Connection> transactions;
    private final PermissionMetrics metrics;
    private final NetworkGrants network;
    private final List<Consumer<PermissionRequest>> listeners = new CopyOnWriteArrayList<>();

    Permissions(
            PermissionRows rows,
            Approvers approvers,
            SandboxStore store,
            Audit audit,
            PermissionSettings settings,
            TransactionOperations<Connection> transactions,
            PermissionMetrics metrics,
            NetworkGrants network) {
        this.rows = rows;
        this.approvers = approvers;
        this.store = store;
        this.audit = audit;
        this.settings = settings;
        this.transactions = transactions;
        this.metrics = metrics;
        this.network = network;
    }

    /**
     * What an approver says.
     *
     * @param until a yes covers the same question until then; null for this once
     * @param scope how far a yes to the network reaches; null for this once
     * @param cameIn when it came to this relay, by the system's nanosecond clock
     */
    public record Verdict(
            boolean granted,
            @Nullable Instant until,
            @Nullable String reason,
            @Nullable GrantScope scope,
            long cameIn) {}

    /** The listener hears of each question and each answer that this process stores, once it is stored. */
    void onChange(Consumer<PermissionRequest> listener) {
        listeners.add(listener);
    }

    /**
     * Stores a question, unless it was asked before or a grant answers it; gives what is known of it then.
     *
     * @param sandbox in which it is asked, just read
     * @param acl the Pod whose ACL says yes beforehand; null when none does
     */
    PermissionRequest ask(Sandbox sandbox, PermissionRequest draft, @Nullable String acl) {
        var asked = transactions.executeWrite(transaction -> {
            var place = PlaceStatement.find(transaction.getConnection(), draft, store.now());
            if (place.askedBefore() != null) {
                return stored(place.askedBefore());
            }
            return place.grant() == null ? open(sandbox, draft, acl, place) : covered(draft, stored(place.grant()));
        });
        tell(asked);
        return asked;
    }

    private PermissionRequest covered(PermissionRequest draft, PermissionRequest grant) {
        audit.append(grant.projectId(), NOBODY, "permission.covered", grant.id(), describe(draft));
        return grant;
    }

    private PermissionRequest open(
            Sandbox sandbox, PermissionRequest draft, @Nullable String acl, PermissionPlace place) {
        if (place.openInSandbox() >= settings.getPerSandbox() || place.openInProject() >= settings.getPerProject()) {
            throw new BivouacException(ErrorCode.RESOURCE_LIMIT, "too many questions wait for an answer already");
        }
        var request = rows.save(draft);
        store.on(sandbox, new PermissionRequested(request.asked()));
        var actor = request.owner() == null ? request.sandboxId() : request.owner();
        audit.append(request.projectId(), actor, "permission.requested", request.id(), describe(request));
        if (acl != null) {
            var why = "pre-authorised by the ACL of " + acl;
            return decide(request, true, BY_ACL, why, null, null).orElse(request);
        }
        return approvers.areEnough(request, place.keysThatMayAnswer())
                ? request
                : decide(request, false, null, "nobody may answer this", null, null)
                        .orElse(request);
    }

    private static String describe(PermissionRequest request) {
        var told = request.asked();
        return request.source() + " in " + request.sandboxId() + ": " + request.action()
                + (told.resource().isEmpty() ? "" : " " + told.resource());
    }

    /** Takes an approver's answer; the question stays open while more of them have to agree. */
    public PermissionRequest answer(String id, Caller caller, @Nullable String origin, Verdict verdict) {
        var request = known(id, caller);
        approvers.mustApprove(caller, request, origin);
        check(verdict, request, caller);
        var reason = verdict.reason() == null ? null : ShownText.of(verdict.reason(), LONGEST_REASON);
        var after = transactions.executeWrite(_ -> request.quorum() > 1 && verdict.granted()
                ? approve(request, caller, reason, verdict)
                : settle(request, verdict, caller, reason));
        tell(after);
        if (!after.isOpen()) {
            metrics.answerPassed(verdict.cameIn());
        }
        return after;
    }

    private PermissionRequest settle(
            PermissionRequest request, Verdict verdict, Caller caller, @Nullable String reason) {
        if (!request.isOpen() || !request.expiresAt().isAfter(store.now())) {
            throw decided(request);
        }
        var scope = !verdict.granted() || request.host() == null
                ? null
                : verdict.scope() == null ? GrantScope.ONCE : verdict.scope();
        var after = decide(request, verdict.granted(), caller.id(), reason, verdict.until(), scope)
                .orElseThrow(() -> decided(stored(request.id())));
        if (scope != null) {
            network.open(after, scope, caller);
        }
        return after;
    }

    /** One yes of several. */
    private PermissionRequest approve(
            PermissionRequest request, Caller caller, @Nullable String reason, Verdict verdict) {
        rows.lockProject(request.projectId());
        var current = stored(request.id());
        var now = store.now();
        if (!current.isOpen() || !current.expiresAt().isAfter(now)) {
            throw decided(current);
        }
        var scope = verdict.scope() == null ? null : verdict.scope().name();
        rows.approve(current.id(), caller.id(), verdict.until(), scope, now);
        if (rows.countApprovals(current.id()) < current.quorum()) {
            audit.append(current.projectId(), caller.id(), "permission.approved", current.id(), describe(current));
            return current;
        }
        var agreed =
                new Verdict(true, rows.earliestEnd(current.id()), reason, narrowestScope(current), verdict.cameIn());
        return settle(current, agreed, caller, reason);
    }

    /** What all of them have agreed to. */
    private GrantScope narrowestScope(PermissionRequest request) {
        return rows.approvedScopes(request.id()).stream()
                .map(GrantScope::valueOf)
                .min(Comparator.naturalOrder())
                .orElse(GrantScope.ONCE);
    }

    private void check(Verdict verdict, PermissionRequest request, Caller caller) {
        var scope = verdict.scope();
        if (scope != null && !verdict.granted()) {
            throw invalid("scope is for a yes; a no is for this once.");
        }
        if (scope != null && request.host() == null) {
            throw invalid("scope is for questions about the network; this one is about something else.");
        }
        if (scope != null && scope != GrantScope.ONCE) {
            caller.mustBe(Role.DEVELOPER);
        }
        var until = verdict.until();
        if (until != null && !verdict.granted()) {
            throw invalid("expiresAt is for a yes that lasts; a no is for this once.");
        }
        if (until != null
                && (!until.isAfter(store.now()) || until.isAfter(store.now().plus(settings.getLongestGrant())))) {
            throw invalid("expiresAt must lie in the future, at most "
                    + settings.getLongestGrant().toHours() + " hours from now.");
        }
    }

    private static BivouacException invalid(String why) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, why);
    }

    private static BivouacException decided(PermissionRequest request) {
        var state = request.isOpen() ? PermissionRequest.DENIED : request.state();
        return new BivouacException(
                ErrorCode.PERMISSION_DECIDED,
                "Permission request " + request.id() + " was " + state + " already.",
                Map.of("state", state));
    }

    /** Says no for a reason of the system's own; nothing when it has its answer already. */
    void deny(PermissionRequest request, String reason) {
        transactions
                .executeWrite(_ -> decide(request, false, null, reason, null, null))
                .ifPresent(this::tell);
    }

    private Optional<PermissionRequest> decide(
            PermissionRequest request,
            boolean granted,
            @Nullable String by,
            @Nullable String reason,
            @Nullable Instant until,
            @Nullable GrantScope scope) {
        var state = granted ? PermissionRequest.GRANTED : PermissionRequest.DENIED;
        var now = store.now();
        var reach = scope == null ? null : scope.wireName();
        if (rows.decide(request.id(), state, now, by, reason, until, reach) == 0) {
            return Optional.empty();
        }
        var after = request.decided(granted, now, by, reason, until, reach);
        store.on(after.sandbox(), new PermissionResolved(after.answered()));
        var detail = describe(after)
                + (reach == null ? "" : ", scope " + reach)
                + (until == null ? "" : ", until " + until)
                + (reason == null ? "" : " (" + reason + ")");
        audit.append(after.projectId(), by == null ? NOBODY : by, "permission." + state, after.id(), detail);
        return Optional.of(after);
    }

    /** Takes a lasting yes back: the same question is asked again. */
    public void revoke(String id, Caller caller, @Nullable String origin) {
        var request = known(id, caller);
        approvers.mustApprove(caller, request, origin);
        transactions.executeWrite(_ -> {
            if (rows.revoke(id, store.now()) == 0) {
                throw new BivouacException(ErrorCode.CONFLICT, "There is no grant that could be taken back.");
            }
            audit.append(request.projectId(), caller.id(), "permission.revoked", id, describe(request));
            return null;
        });
    }

    /** A guest sees those that are theirs to answer. */
    public PermissionRequest get(String id, Caller caller, @Nullable String origin) {
        var request = known(id, caller);
        if (caller.isGuest()) {
            approvers.mustApprove(caller, request, origin);
        }
        return request;
    }

    private PermissionRequest known(String id, Caller caller) {
        if (!SortableId.matches(PermissionRequest.PREFIX, id)) {
            throw notFound();
        }
        var request = stored(id);
        caller.mustOwn(request.projectId(), "Permission request " + id);
        return request;
    }

    private PermissionRequest stored(String id) {
        return rows.findById(id).orElseThrow(Permissions::notFound);
    }

    private static BivouacException notFound() {
        return new BivouacException(ErrorCode.PERMISSION_NOT_FOUND, ErrorCode.PERMISSION_NOT_FOUND.title());
    }

    /** The newest first. */
    public Page<PermissionRequest> list(
            Caller caller, @Nullable String state, @Nullable String sandbox, @Nullable String cursor, int limit) {
        return page(rows.page(caller.project(), state, sandbox, cursor, limit + 1), limit);
    }

    /** Those that a guest may answer, the newest first. */
    public Page<PermissionRequest> listForGuest(
            Caller guest, @Nullable String origin, @Nullable String state, @Nullable String cursor, int limit) {
        var pods = approvers.podsOf(guest, origin);
        var found = pods.isEmpty()
                ? List.<PermissionRequest>of()
                : rows.pageOfPods(guest.project(), pods, state, cursor, limit + 1);
        return page(found, limit);
    }

    private static Page<PermissionRequest> page(List<PermissionRequest> oneMore, int limit) {
        return Page.of(oneMore, limit, PermissionRequest::id, PermissionRequest::largeFields);
    }

    Instant now() {
        return store.now();
    }

    private void tell(PermissionRequest request) {
        listeners.forEach(listener -> listener.accept(request));
    }
}
