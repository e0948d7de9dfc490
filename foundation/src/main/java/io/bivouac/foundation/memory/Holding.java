package io.bivouac.foundation.memory;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.lang.ref.Cleaner;
import java.time.Duration;

/** Memory that is held for one answer. Once closed it takes nothing any more. Thread-safe. */
public final class Holding implements AutoCloseable {
    private final MemoryBudget budget;
    private final Purpose purpose;
    private final String project;
    private long held;
    private boolean closed;
    private Cleaner.Cleanable cleanable;

    Holding(MemoryBudget budget, Purpose purpose, String project) {
        this.budget = budget;
        this.purpose = purpose;
        this.project = project;
    }

    void cleanedWith(Cleaner.Cleanable whenUnreachable) {
        cleanable = whenUnreachable;
    }

    /** False when there is no room for so much; true for what comes after the end, which nobody keeps. */
    public synchronized boolean take(long more) {
        if (closed) {
            return true;
        }
        if (!budget.take(purpose, project, more)) {
            return false;
        }
        held += more;
        return true;
    }

    /** Waits a while for room, and refuses if there is none. */
    public void takeWithin(Duration patience, long more) {
        boolean fits;
        try {
            fits = budget.take(purpose, project, more, patience.toNanos());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The server is stopping; try again.", stopped);
        }
        if (!fits) {
            throw refusal();
        }
        synchronized (this) {
            if (closed) {
                budget.giveBack(purpose, project, more);
            } else {
                held += more;
            }
        }
    }

    /** Gives back what goes beyond this. */
    public synchronized void settle(long bytes) {
        if (held > bytes) {
            budget.giveBack(purpose, project, held - bytes);
            held = bytes;
        }
    }

    /** 429 when the project's own answers are in the way, 503 when others' are. */
    public BivouacException refusal() {
        return budget.refused(purpose, project)
                ? new BivouacException(
                        ErrorCode.RATE_LIMITED,
                        "The project's answers that are not read yet fill its share of the server's memory;"
                                + " read them, or try again.")
                : new BivouacException(ErrorCode.UNAVAILABLE, "The server's memory for answers is full; try again.");
    }

    /** For refusals that are spelled otherwise. */
    public void noteRefusal() {
        budget.refused(purpose, project);
    }

    @Override
    public void close() {
        cleanable.clean();
    }

    synchronized void giveBack() {
        closed = true;
        settle(0);
    }
}
