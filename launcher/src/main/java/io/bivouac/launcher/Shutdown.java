package io.bivouac.launcher;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is undone when the server stops (Ctrl-C, TERM, a failed start): the last thing started first. */
final class Shutdown {
    private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

    /**
     * An orchestrator's usual patience is 10 s or more; children end with us even if we do not wait for them. The
     * training has its own: its JVM writes its recording at its end.
     */
    private static final Duration LONGEST = Duration.ofSeconds(Long.getLong("bivouac.shutdown.seconds", 9));

    private final Progress progress;
    private volatile @Nullable Supplier<String> notice;
    private final List<Runnable> preparations = new ArrayList<>();
    private final Deque<Runnable> steps = new ArrayDeque<>();

    Shutdown(Progress progress) {
        this.progress = progress;
    }

    static Shutdown onExit(Progress progress) {
        var shutdown = new Shutdown(progress);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("shutdown").unstarted(shutdown::run));
        return shutdown;
    }

    /** What is said first to whoever stops the server; nothing is said of a start that failed. */
    void tell(Supplier<String> first) {
        notice = first;
    }

    /** To be done before everything that was registered earlier. */
    synchronized void first(Runnable step) {
        steps.addFirst(step);
    }

    /** What would otherwise undo the shutdown: it comes first, whenever it was registered. */
    synchronized void beforeAll(Runnable step) {
        preparations.add(step);
    }

    private synchronized void run() {
        Thread.ofPlatform().daemon().name("shutdown-limit").start(Shutdown::haltWhenLate);
        var first = notice;
        if (first != null) {
            attempt(() -> progress.say(first.get()));
        }
        preparations.forEach(Shutdown::attempt);
        steps.forEach(Shutdown::attempt);
        if (first != null) {
            progress.say("Stopped.");
        }
    }

    private static void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            log.warn("a step of the shutdown failed", e);
        }
    }

    private static void haltWhenLate() {
        try {
            Thread.sleep(LONGEST);
            log.warn("the shutdown took longer than {}; halting", LONGEST);
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
