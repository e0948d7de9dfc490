package io.bivouac.launcher;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a child again that died, and waits longer each time that this fails. */
final class KeepAlive implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(KeepAlive.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private record Child(String name, BooleanSupplier isAlive, Runnable restart) {}

    private final List<Child> children = new CopyOnWriteArrayList<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("keep-alive").unstarted(this);

    static KeepAlive start(Shutdown shutdown) {
        var keepAlive = new KeepAlive();
        shutdown.beforeAll(keepAlive::stop);
        keepAlive.thread.start();
        return keepAlive;
    }

    void watch(String name, BooleanSupplier isAlive, Runnable restart) {
        children.add(new Child(name, isAlive, restart));
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
        var pause = INTERVAL;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(pause);
                pause = restartTheDead() ? INTERVAL : doubled(pause);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether all live now. */
    private boolean restartTheDead() {
        boolean allLive = true;
        for (Child child : children) {
            if (!child.isAlive().getAsBoolean()) {
                try {
                    log.warn("{} has died; starting it again", child.name());
                    child.restart().run();
                    log.warn("{} runs again", child.name());
                } catch (RuntimeException e) {
                    log.error("{} could not be started again", child.name(), e);
                    allLive = false;
                }
            }
        }
        return allLive;
    }

    private static Duration doubled(Duration pause) {
        var longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
}
