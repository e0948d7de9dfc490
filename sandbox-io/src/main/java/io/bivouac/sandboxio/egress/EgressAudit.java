package io.bivouac.sandboxio.egress;

import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.RowBudget;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Writes down what sandboxes were refused, and what was cut; with a setting also what they reached. Thread-safe. */
@Singleton
class EgressAudit {
    /** Sandboxes whose budgets are remembered; when there are more, all begin anew. */
    private static final int REMEMBERED = 10_000;

    private final Audit audit;
    private final EgressSettings settings;
    private final Clock clock;
    private final Map<SandboxId, RowBudget> budgets = new ConcurrentHashMap<>();

    EgressAudit(Audit audit, EgressSettings settings, Clock clock) {
        this.audit = audit;
        this.settings = settings;
        this.clock = clock;
    }

    void refused(Sandbox sandbox, String what) {
        if (budgets.size() >= REMEMBERED) {
            budgets.clear();
        }
        long missed = budgets.computeIfAbsent(sandbox.id(), _ -> new RowBudget(settings.getRefusalsAudited(), clock))
                .take();
        if (missed >= 0) {
            var more = missed == 0 ? "" : " (" + missed + " refusals before this one have no row)";
            append(sandbox, "egress.refused", what + more);
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
