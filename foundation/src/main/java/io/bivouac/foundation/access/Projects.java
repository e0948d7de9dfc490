package io.bivouac.foundation.access;

import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Clock;
import java.util.Optional;

/** Makes and lists projects. Thread-safe. */
@Singleton
public class Projects {
    private final ProjectRows rows;
    private final ApiKeys keys;
    private final Audit audit;
    private final TransactionOperations<Connection> transactions;
    private final ProjectSettings settings;
    private final Clock clock;

    Projects(
            ProjectRows rows,
            ApiKeys keys,
            Audit audit,
            TransactionOperations<Connection> transactions,
            ProjectSettings settings,
            Clock clock) {
        this.settings = settings;
        this.rows = rows;
        this.keys = keys;
        this.audit = audit;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** A project and the text of its first key, an admin's. */
    public record Made(Project project, KeyText firstKey) {}

    /** @param limits its own; the installation's defaults where it has none */
    public Made make(Caller caller, String name, LimitChange limits) {
        caller.mustBeSystem();
        var firstKey = KeyText.next();
        var project = transactions.executeWrite(_ -> {
            var made = store(name, limits.sandboxes() == null ? settings.getSandboxes() : limits.sandboxes());
            set(made.id(), limits);
            keys.store(made.id(), "first", firstKey, Role.ADMIN, false);
            audit.append(caller.project(), caller.id(), "project.created", made.id(), name);
            return made;
        });
        return new Made(project, firstKey);
    }

    /** One with the installation's defaults but for its number of sandboxes. */
    public Made make(Caller caller, String name, int sandboxLimit) {
        return make(caller, name, LimitChange.ofSandboxes(sandboxLimit));
    }

    Project store(String name, int sandboxLimit) {
        if (rows.existsByName(name)) {
            throw new BivouacException(ErrorCode.CONFLICT, "There is a project named " + name + " already.");
        }
        return rows.save(new Project(SortableId.next(Project.PREFIX), name, sandboxLimit, clock.instant()));
    }

    Project store(String name) {
        return store(name, settings.getSandboxes());
    }

    public Project changeLimits(Caller caller, String id, LimitChange limits) {
        caller.mustBeSystem();
        return transactions.executeWrite(_ -> {
            if (set(id, limits) == 0) {
                throw noSuchProject(id);
            }
            audit.append(caller.project(), caller.id(), "project.limit", id, limits.told());
            return get(id);
        });
    }

    private int set(String id, LimitChange limits) {
        return rows.setLimits(
                id,
                limits.sandboxes(),
                limits.terminals(),
                limits.eventStreams(),
                limits.cpu(),
                limits.memoryBytes(),
                limits.diskBytes());
    }

    public ProjectLimits limits(String id) {
        return rows.limits(id).map(settings::limits).orElseThrow(() -> noSuchProject(id));
    }

    /**
     * The limits, and until the transaction under way ends the right to count under them: whoever else asks waits. Empty
     * when the project is gone.
     */
    public Optional<ProjectLimits> lockLimits(String id) {
        return rows.lockLimits(id).map(settings::limits);
    }

    public boolean exists(String id) {
        return rows.findById(id).isPresent();
    }

    public Project get(String id) {
        return rows.findById(id).orElseThrow(() -> noSuchProject(id));
    }

    public Page<Project> list(Caller caller, @Nullable String cursor, int limit) {
        caller.mustBeSystem();
        return Page.of(rows.page(cursor, limit + 1), limit, Project::id);
    }

    boolean none() {
        return rows.page(null, 1).isEmpty();
    }

    public Project oldest() {
        return rows.oldest();
    }

    private static BivouacException noSuchProject(String id) {
        return new BivouacException(ErrorCode.NOT_FOUND, "There is no project " + id + ".");
    }
}
