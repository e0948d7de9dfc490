package io.bivouac.launcher;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a child again as soon as it has died, and waits longer each time that this fails. */
final class KeepAlive implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(KeepAlive.class);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** @param end is done when the process that runs now has ended: one and the same until it is started again */
    private record Child(String name, Supplier<CompletableFuture<?>> end, Runnable restart) {}

    private final List<Child> children = new CopyOnWriteArrayList<>();
    private final Semaphore ended = new Semaphore(0);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("keep-alive").unstarted(this);

    static KeepAlive start(Shutdown shutdown) {
        var keepAlive = new KeepAlive();
        shutdown.beforeAll(keepAlive::stop);
        keepAlive.thread.start();
        return keepAlive;
    }

    void watch(String name, Supplier<CompletableFuture<?>> end, Runnable restart) {
        children.add(new Child(name, end, restart));
        end.get().thenRun(ended::release);
    }

    void stop() {
        thread.interrupt();
        try {
            thread.join(LONGEST_PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        var pause = SHORTEST_PAUSE;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                if (ended.tryAcquire(LONGEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    ended.drainPermits();
                }
                while (!restartTheDead()) {
                    Thread.sleep(pause);
                    pause = doubled(pause);
                }
                pause = SHORTEST_PAUSE;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether all live now. */
    private boolean restartTheDead() {
        boolean allLive = true;
        for (Child child : children) {
            if (child.end().get().isDone()) {
                allLive &= restart(child);
            }
        }
        return allLive;
    }

    private boolean restart(Child child) {
        try {
            log.warn("{} has died; starting it again", child.name());
            child.restart().run();
            child.end().get().thenRun(ended::release);
            log.warn("{} runs again", child.name());
            return true;
        } catch (RuntimeException e) {
            log.error("{} could not be started again", child.name(), e);
            return false;
        }
    }

    private static Duration doubled(Duration pause) {
        var longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
}
