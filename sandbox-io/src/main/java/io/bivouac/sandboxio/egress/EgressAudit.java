package io.bivouac.sandboxio.egress;

import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.RowBudget;
import io.bivouac.sandboxes.egress.BlockedHosts;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what sandboxes were refused, and what was cut; with a setting also what they reached. Thread-safe. */
@Singleton
class EgressAudit {
    /** Sandboxes whose budgets are remembered; when there are more, all begin anew. */
    private static final int REMEMBERED = 10_000;

    /** Blocked hosts of one sandbox that are written down in a minute. */
    private static final int BLOCKED_WRITTEN = 60;

    private static final Logger LOG = LoggerFactory.getLogger(EgressAudit.class);

    private final Audit audit;
    private final SandboxStore store;
    private final BlockedHosts blocked;
    private final EgressSettings settings;
    private final Clock clock;
    private final Map<SandboxId, Budgets> budgets = new ConcurrentHashMap<>();

    private record Budgets(RowBudget refusals, RowBudget blocked) {}

    EgressAudit(Audit audit, SandboxStore store, BlockedHosts blocked, EgressSettings settings, Clock clock) {
        this.audit = audit;
        this.store = store;
        this.blocked = blocked;
        this.settings = settings;
        this.clock = clock;
    }

    /** A refusal that cannot be written down stays a refusal, and the metrics have counted it. */
    void refused(SandboxId id, EgressFailed refusal) {
        try {
            store.find(id).ifPresent(sandbox -> refused(sandbox, refusal));
        } catch (RuntimeException databaseAway) {
            LOG.warn("{}: a refusal could not be written down: {}", id, databaseAway.getMessage());
        }
    }

    private void refused(Sandbox sandbox, EgressFailed refusal) {
        if (budgets.size() >= REMEMBERED) {
            budgets.clear();
        }
        var budget = budgets.computeIfAbsent(
                sandbox.id(),
                _ -> new Budgets(
                        new RowBudget(settings.getRefusalsAudited(), clock), new RowBudget(BLOCKED_WRITTEN, clock)));
        var closed = refusal.closed();
        if (closed != null && budget.blocked().take() >= 0) {
            blocked.add(sandbox.id(), closed.target(), closed.program());
        }
        long missed = budget.refusals().take();
        if (missed >= 0) {
            var more = missed == 0 ? "" : " (" + missed + " refusals before this one have no row)";
            append(sandbox, "egress.refused", refusal.note() + more);
        }
    }

    /** One row for all that one change has cut. */
    void cut(Sandbox sandbox, List<EgressTarget> targets) {
        var hosts =
                targets.stream().map(EgressTarget::toString).distinct().sorted().toList();
        append(sandbox, "egress.cut", targets.size() + " to " + String.join(" ", hosts));
    }

    void connected(Sandbox sandbox, EgressTarget target) {
        if (settings.isAuditConnections()) {
            append(sandbox, "egress.connected", target.toString());
        }
    }

    private void append(Sandbox sandbox, String action, String detail) {
        var id = sandbox.id().value();
        audit.append(sandbox.project(), id, action, id, detail);
    }
}
