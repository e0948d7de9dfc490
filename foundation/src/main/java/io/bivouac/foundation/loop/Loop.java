package io.bivouac.foundation.loop;

import io.bivouac.foundation.database.Outage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A step that is repeated on a daemon thread of its own until the loop is stopped. A step says how long to pause after
 * it; {@link #wake} ends the pause. A step that fails is reported once for each outage and tried again after a pause
 * that nothing but a stop ends, so that frequent wakes do not hammer a database that is away. Thread-safe.
 */
public final class Loop {
    private static final Duration STOP_WITHIN = Duration.ofSeconds(1);

    private final Step step;
    private final Duration retryAfter;
    private final Outage outage;
    private final Thread thread;
    private final Semaphore wakes = new Semaphore(0);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile Duration firstPause = Duration.ZERO;

    /** One turn of a loop. */
    @FunctionalInterface
    public interface Step {
        /** Does the work that is due; the answer is the pause until the next step. */
        Duration run() throws SQLException, InterruptedException;
    }

    /** The thread's name is the loop's; the outage is told of every step. */
    public Loop(String name, Step step, Duration retryAfter, Outage outage) {
        this.step = step;
        this.retryAfter = retryAfter;
        this.outage = outage;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    /** Starts with a step at once. */
    public void start() {
        startAfter(Duration.ZERO);
    }

    /** Starts with a pause. */
    public void startAfter(Duration pause) {
        firstPause = pause;
        thread.start();
    }

    /** Ends the pause. A wake during a step lets the next step follow at once; several wakes count as one. */
    public void wake() {
        wakes.release();
    }

    /** Whether the loop has been told to stop. Long steps ask it. */
    public boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** Interrupts the step and waits a second at most for its end. */
    public void stop() {
        stop(STOP_WITHIN);
    }

    /** Interrupts the step and waits so long at most for its end. */
    public void stop(Duration longest) {
        announceStop();
        thread.interrupt();
        awaitEnd(longest);
    }

    /** Lets the step that is under way end by itself within that time, and interrupts it after that. */
    public void finish(Duration longest) {
        announceStop();
        awaitEnd(longest);
        thread.interrupt();
        awaitEnd(STOP_WITHIN);
    }

    private void announceStop() {
        stopping.countDown();
        wakes.release();
    }

    private void awaitEnd(Duration longest) {
        try {
            // A thread that was never started cannot be joined.
            if (thread.isAlive()) {
                thread.join(longest);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            rest(firstPause);
            while (!isStopping()) {
                turn();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void turn() throws InterruptedException {
        try {
            var pause = step.run();
            outage.works();
            rest(pause);
        } catch (SQLException | RuntimeException failed) {
            if (!isStopping()) {
                outage.failed(failed);
            }
            stopping.await(retryAfter.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void rest(Duration pause) throws InterruptedException {
        if (wakes.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
            wakes.drainPermits();
        }
    }
}
