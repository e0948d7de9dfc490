package io.bivouac.launcher;

import io.bivouac.foundation.access.Projects;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.Definition;
import io.bivouac.sandboxmodel.Lifetime;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.Status;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;

/** A sandbox's life in the database, in transactions that are rolled back: nobody ever sees its rows and events. */
@Singleton
class StoreRehearsal {
    /** PostgreSQL's driver prepares a statement on the server when it is used for the fifth time. */
    private static final int ROUNDS = 6;

    private final SandboxStore store;
    private final Projects projects;
    private final Templates templates;
    private final TransactionOperations<Connection> transactions;
    private final Placement here;

    StoreRehearsal(
            SandboxStore store,
            Projects projects,
            Templates templates,
            TransactionOperations<Connection> transactions,
            SandboxRuntime runtime,
            Installation installation) {
        this.store = store;
        this.projects = projects;
        this.templates = templates;
        this.transactions = transactions;
        this.here = new Placement(runtime.name(), installation.host());
    }

    void run() {
        var project = projects.oldest().id();
        for (int round = 0; round < ROUNDS; round++) {
            var draft = draft(project);
            transactions.executeWrite(transaction -> {
                transaction.setRollbackOnly();
                store.add(draft);
                store.on(draft.id(), new AgentRegistered("rehearsal"));
                return store.on(draft.id(), new DeleteRequested(false));
            });
        }
    }

    private Sandbox draft(String project) {
        var template = templates.get(Template.DEFAULT);
        var now = store.now();
        return new Sandbox(
                SandboxId.next(),
                project,
                new Definition(template.name(), null, template.resources(), Map.of(), Map.of(), null),
                here,
                Status.of(SandboxState.STARTING, now),
                Lifetime.startingAt(now, Duration.ofMinutes(1)),
                now,
                0,
                0);
    }
}
