package io.bivouac.terminalrelay.terminal;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.transition.Happening.TerminalEnded;
import io.bivouac.sandboxmodel.transition.Happening.TerminalStarted;
import io.bivouac.terminalrelay.sealed.Sealing;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Keeps terminals' rows, and says and audits what happens to them in the same transactions. Thread-safe. */
@Singleton
public class Terminals {
    private final TerminalRows rows;
    private final SandboxStore store;
    private final Sandboxes sandboxes;
    private final Audit audit;
    private final TerminalPlaces places;
    private final TerminalSettings settings;
    private final TransactionOperations<Connection> transactions;

    Terminals(
            TerminalRows rows,
            SandboxStore store,
            Sandboxes sandboxes,
            Audit audit,
            TerminalPlaces places,
            TerminalSettings settings,
            TransactionOperations<Connection> transactions) {
        this.rows = rows;
        this.store = store;
        this.sandboxes = sandboxes;
        this.audit = audit;
        this.places = places;
        this.settings = settings;
        this.transactions = transactions;
    }

    /** What a new terminal is to be. */
    public record Wish(
            Door door,
            SandboxId sandbox,
            TerminalOrder order,
            Duration life,
            boolean own,
            boolean record,
            @Nullable Sealing sealing) {}

    /** Takes a place, unless all are taken; the terminal is yet to be started. */
    public Terminal reserve(Wish wish, Caller caller) {
        return transactions.executeWrite(_ -> {
            places.lock();
            places.mustHaveOne(wish.door(), wish.sandbox(), caller);
            return rows.save(draft(wish, caller));
        });
    }

    /** Refuses when all places are taken right now. */
    void mustHavePlace(Door door, Caller caller) {
        places.mustHaveOne(door, null, caller);
    }

    private Terminal draft(Wish wish, Caller caller) {
        var now = store.now();
        var idle = wish.door() == Door.SESSION ? settings.getSessionIdleTimeout() : settings.getIdleTimeout();
        var cwd = wish.order().run().getCwd();
        return new Terminal(
                SortableId.next(wish.door().prefix()),
                wish.sandbox().value(),
                caller.project(),
                caller.id(),
                wish.door().wireName(),
                wish.order().command(),
                cwd.isEmpty() ? null : cwd,
                wish.order().columns(),
                wish.order().rows(),
                wish.own(),
                wish.record(),
                Math.max(1, idle.toSeconds()),
                now,
                now.plus(wish.life()),
                now,
                null,
                null,
                null,
                null,
                null,
                null,
                wish.sealing() != null,
                null,
                null);
    }

    /** The agent has started it; false when it was ended meanwhile. */
    boolean started(Terminal terminal, TerminalStart start) {
        return transactions.executeWrite(_ -> {
            if (rows.started(terminal.id(), store.now(), start.hostKey(), start.pid()) == 0) {
                return false;
            }
            store.on(terminal.sandbox(), new TerminalStarted(terminal.told()));
            audit.append(
                    terminal.projectId(),
                    terminal.owner(),
                    "terminal.started",
                    terminal.id(),
                    terminal.door() + (terminal.sealed() ? ", sealed" : "") + " in " + terminal.sandboxId() + ": "
                            + terminal.command());
            return true;
        });
    }

    /** As the database has it now. */
    Terminal read(String id) {
        return rows.findById(id).orElseThrow();
    }

    /** It could not be started: its place is free again. */
    public void abandon(Terminal terminal) {
        rows.abandon(terminal.id());
    }

    /** Ends the row once, whoever sees the end first; gives the row as it is then. */
    public Optional<Terminal> ended(String id, EndReason reason, @Nullable Integer exitCode) {
        return transactions.executeWrite(_ -> {
            int changed = rows.ended(id, reason.wireName(), exitCode, store.now());
            var after = rows.findById(id);
            if (changed > 0 && after.isPresent()) {
                tellEnd(after.get());
            }
            return after;
        });
    }

    private void tellEnd(Terminal terminal) {
        var reason = EndReason.ofWireName(terminal.endReason());
        store.on(terminal.sandbox(), new TerminalEnded(terminal.told()));
        audit.append(
                terminal.projectId(),
                terminal.owner(),
                "terminal.ended",
                terminal.id(),
                reason.wireName() + (terminal.exitCode() == null ? "" : ", exit code " + terminal.exitCode()));
        if (terminal.ownSandbox()) {
            discardSandbox(terminal);
        }
    }

    /** Deletes the sandbox that was made for this terminal. */
    void discardSandbox(Terminal terminal) {
        sandboxes.discard(terminal.sandbox(), terminal.owner());
    }

    /** Notes why it is being ended, before it is; the first reason stays. */
    public void ending(String id, EndReason why) {
        rows.ending(id, why.wireName());
    }

    /** Whether nobody was attached to it before. */
    boolean attachFirst(Terminal terminal) {
        return rows.attached(terminal.id(), store.now()) > 0;
    }

    void joined(Terminal terminal, Caller caller, TerminalRole role) {
        audit.append(terminal.projectId(), caller.id(), "terminal.joined", terminal.id(), role.wireName());
    }

    /** A terminal of the caller's own project that came through this door; a guest sees no one else's. */
    public Terminal get(String id, Door door, Caller caller) {
        if (!SortableId.matches(door.prefix(), id)) {
            throw notFound(door);
        }
        var terminal =
                rows.findById(id).filter(found -> found.startedAt() != null).orElseThrow(() -> notFound(door));
        caller.mustOwn(terminal.projectId(), "Terminal " + id);
        if (caller.isGuest() && !terminal.owner().equals(caller.id())) {
            throw notFound(door);
        }
        return terminal;
    }

    /** A PTY of this sandbox. */
    public Terminal getIn(String sandbox, String id, Caller caller) {
        var terminal = get(id, Door.PTY, caller);
        if (!terminal.sandboxId().equals(sandbox)) {
            throw new BivouacException(Door.PTY.notFound(), "There is no such terminal in this sandbox.");
        }
        return terminal;
    }

    /** A terminal of this sandbox that is not over; its program may be quicker than the note that it has started. */
    public Optional<Terminal> findLive(String id, SandboxId sandbox) {
        return rows.findById(id).filter(found -> found.sandboxId().equals(sandbox.value()) && !found.isOver());
    }

    private static BivouacException notFound(Door door) {
        return new BivouacException(door.notFound(), door.notFound().title());
    }

    /** Those that {@link #get} would find at this door, the newest first; in one sandbox or all. */
    public Page<Terminal> list(Caller caller, Door door, @Nullable String sandbox, @Nullable String cursor, int limit) {
        var owner = caller.isGuest() ? caller.id() : null;
        var page = rows.page(caller.project(), owner, door.prefix(), sandbox, cursor, limit + 1);
        return Page.of(page, limit, Terminal::id);
    }

    /** Those that are open, whichever door they came through, the newest first; a guest's own alone. */
    public Page<Terminal> open(Caller caller, @Nullable String sandbox, @Nullable String cursor, int limit) {
        var owner = caller.isGuest() ? caller.id() : null;
        return Page.of(rows.openPage(caller.project(), owner, sandbox, cursor, limit + 1), limit, Terminal::id);
    }

    public Instant now() {
        return store.now();
    }
}
