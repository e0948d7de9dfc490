package io.bivouac.sandboxes.store;

import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.StripedLocks;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.transition.Decision.Changed;
import io.bivouac.sandboxmodel.transition.Decision.Refused;
import io.bivouac.sandboxmodel.transition.Decision.Unchanged;
import io.bivouac.sandboxmodel.transition.Happening;
import io.bivouac.sandboxmodel.transition.Transitions;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.support.TransactionSynchronization;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Keeps sandboxes. Thread-safe. */
@Singleton
public class SandboxStore {
    /** How often a change is decided anew when others win; far more than contention for one sandbox can bring. */
    private static final int ATTEMPTS = 20;

    private static final int TURNS = 64;

    private static final Duration RETRY_CLEANUP_AFTER = Duration.ofSeconds(30);

    private final SandboxRows rows;
    private final SandboxTable table;
    private final ProjectRoom room;
    private final Outbox outbox;
    private final TransactionOperations<Connection> transactions;
    private final Clock clock;
    private final List<Consumer<Sandbox>> listeners = new CopyOnWriteArrayList<>();
    private final StripedLocks turns = new StripedLocks(TURNS);

    SandboxStore(
            SandboxRows rows,
            SandboxTable table,
            ProjectRoom room,
            Outbox outbox,
            TransactionOperations<Connection> transactions,
            Clock clock) {
        this.rows = rows;
        this.table = table;
        this.room = room;
        this.outbox = outbox;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Writes what belongs to a change, in the transaction that stores it and as its last statement. */
    public interface Alongside {
        void write(Sandbox before, Sandbox after);
    }

    /** The listener hears of each change that this process commits, on the thread that made it. */
    public void onChange(Consumer<Sandbox> listener) {
        listeners.add(listener);
    }

    /**
     * Stores a new sandbox and what is said about it, unless its project is full. Joins a transaction under way.
     * Survives a crash of the database only once a later change was stored, or {@link #makeDurable} was called:
     * nobody is told of it before it runs, and what a lost row leaves on its host is an orphan, which goes.
     */
    public Sandbox add(Sandbox sandbox) {
        return add(sandbox, _ -> {});
    }

    /** @param alongside writes what belongs to the new sandbox, in the same transaction and as its last statement */
    public Sandbox add(Sandbox sandbox, Consumer<Sandbox> alongside) {
        return inTurn(sandbox.project(), () -> addInTurn(sandbox, alongside));
    }

    /**
     * Creates of a project go one after the other anyway; those that wait must not each hold a connection. So whoever
     * adds within a transaction of his own takes the turn first, and only then begins that transaction.
     */
    public <T> T inTurn(String project, Supplier<T> create) {
        return turns.holding(project, create);
    }

    private Sandbox addInTurn(Sandbox sandbox, Consumer<Sandbox> alongside) {
        return transactions.executeWrite(_ -> {
            room.mustFit(sandbox);
            if (sandbox.definition().workspace() != null) {
                mustBeFree(sandbox);
            }
            var made = Transitions.made(sandbox);
            rows.save(SandboxRow.of(
                    sandbox.stored(sandbox.version(), made.sayings().size())));
            outbox.say(sandbox, made.sayings(), sandbox.lifetime().createdAt());
            var stored = sandbox.stored(sandbox.version(), made.sayings().size());
            alongside.accept(stored);
            return stored;
        });
    }

    /** It is kept until another one's instance has it, and two may have been told so. */
    private void mustBeFree(Sandbox sandbox) {
        var workspace = sandbox.definition().workspace();
        rows.heirOf(sandbox.project(), workspace).ifPresent(heir -> {
            throw new BivouacException(
                    ErrorCode.WORKSPACE_NOT_FOUND,
                    "There is no kept workspace " + workspace + " any more: sandbox " + heir + " took it over.");
        });
    }

    /** What was added so far is safe after this, whatever happens to the database. */
    public void makeDurable() {
        transactions.executeWrite(_ -> rows.makeDurable());
    }

    public Optional<Sandbox> find(SandboxId id) {
        return table.find(id.value()).map(SandboxRow::toSandbox);
    }

    /** The sandbox after the happening; a refusal is thrown as it was decided. */
    public Sandbox on(SandboxId id, Happening happening) {
        return on(id, happening, (_, _) -> {});
    }

    /** @param alongside is called only if the happening changes the sandbox */
    public Sandbox on(SandboxId id, Happening happening, Alongside alongside) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var after = tryOn(read(id), happening, alongside);
            if (after.isPresent()) {
                return after.get();
            }
        }
        throw new BivouacException(ErrorCode.CONFLICT, "Sandbox " + id + " is being changed by others; try again.");
    }

    public Sandbox on(Sandbox justRead, Happening happening) {
        return on(justRead, happening, (_, _) -> {});
    }

    /** The same for who has just read the sandbox; it is read again only if it has changed since. */
    public Sandbox on(Sandbox justRead, Happening happening, Alongside alongside) {
        return tryOn(justRead, happening, alongside).orElseGet(() -> on(justRead.id(), happening, alongside));
    }

    private Sandbox read(SandboxId id) {
        return find(id).orElseThrow(() -> SandboxId.noSuchSandbox(id.value()));
    }

    private Optional<Sandbox> tryOn(Sandbox sandbox, Happening happening, Alongside alongside) {
        return switch (Transitions.decide(sandbox, happening, now())) {
            case Changed changed -> store(sandbox, changed, alongside);
            case Unchanged _ -> Optional.of(sandbox);
            case Refused refused -> throw new BivouacException(refused.code(), refused.detail());
        };
    }

    private Optional<Sandbox> store(Sandbox before, Changed changed, Alongside alongside) {
        return transactions.executeWrite(transaction -> {
            var after = changed.sandbox()
                    .stored(before.version() + 1, changed.sayings().size());
            // The row is locked by this update before the outbox draws positions: see the events table.
            if (!table.change(SandboxRow.of(after), before.version())) {
                return Optional.empty();
            }
            if (before.state() == SandboxState.STOPPED && after.state() == SandboxState.STARTING) {
                room.mustFitAgain(after);
            }
            outbox.say(before, changed.sayings(), after.updatedAt());
            alongside.write(before, after);
            transaction.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    listeners.forEach(listener -> listener.accept(after));
                }
            });
            return Optional.of(after);
        });
    }

    /** Without their environments. */
    public Page<Sandbox> list(String project, SandboxFilter filter) {
        return table.page(project, filter).map(SandboxRow::toSandbox);
    }

    /** All that are not deleted and belong to a runtime on a host, without their environments. */
    public List<Sandbox> onHost(String host, String runtime) {
        return table.onHost(host, runtime).stream().map(SandboxRow::toSandbox).toList();
    }

    /** At most so many of each kind. */
    public TimelySandboxes timely(int limit) {
        return table.timely(now(), now().minus(RETRY_CLEANUP_AFTER), limit);
    }

    /** Those that run, and whose end would move if they were used since. */
    public List<KeptSandbox> keptAndDue() {
        return rows.keptAndDue(now());
    }

    public SandboxUsage usage(String project) {
        return rows.usage(project);
    }

    public List<StateCount> countByState() {
        return rows.countByState();
    }

    /** Forgets what was deleted, or expired, before this time. */
    public int purgeOver(Instant before) {
        return rows.purgeOver(before);
    }

    /** The present as the database keeps it: in microseconds. */
    public Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
