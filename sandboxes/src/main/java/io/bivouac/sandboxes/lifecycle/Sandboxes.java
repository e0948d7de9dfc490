package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.outbox.EventFlow;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxes.store.SandboxFilter;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.transition.Happening;
import io.bivouac.sandboxmodel.transition.Happening.EgressChanged;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;

/** The sandboxes as a caller may see and change them: only the own project's. Thread-safe. */
@Singleton
public class Sandboxes {
    private final SandboxStore store;
    private final Audit audit;
    private final EventFlow flow;
    private final TransactionOperations<Connection> transactions;

    Sandboxes(SandboxStore store, Audit audit, EventFlow flow, TransactionOperations<Connection> transactions) {
        this.store = store;
        this.audit = audit;
        this.flow = flow;
        this.transactions = transactions;
    }

    public Sandbox get(SandboxId id, Caller caller) {
        var sandbox = store.find(id)
                .filter(found -> found.state() != SandboxState.DELETED)
                .orElseThrow(() -> SandboxId.noSuchSandbox(id.value()));
        caller.mustOwn(sandbox.project(), "Sandbox " + id);
        return sandbox;
    }

    public Sandbox change(SandboxId id, Caller caller, Happening happening) {
        caller.mustBe(Role.DEVELOPER);
        get(id, caller);
        flow.mustFlow();
        return store.on(id, happening);
    }

    /** Replaces what the sandbox may reach, and writes down who did so. */
    public Sandbox changeEgress(SandboxId id, Caller caller, EgressPolicy egress) {
        return transactions.executeWrite(_ -> {
            var before = get(id, caller);
            var after = change(id, caller, new EgressChanged(egress));
            if (after.version() != before.version()) {
                audit.append(after.project(), caller.id(), "sandbox.egress", id.value(), egress.toString());
            }
            return after;
        });
    }

    public Page<Sandbox> list(Caller caller, SandboxFilter filter) {
        return store.list(caller.project(), filter);
    }
}
