package io.bivouac.launcher;

import io.bivouac.http.health.ReadinessCheck;
import io.bivouac.sandboxes.warm.WarmPool;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rehearsal of a sandbox's life at the server's start, so that the first users do not wait for classes, native
 * calls, statements and compiled code. It leaves no row, no event and no instance. Until it is over the server is not
 * ready.
 */
@Singleton
class WarmUp implements ReadinessCheck {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** An agent comes within milliseconds. */
    private static final Duration USUAL = Duration.ofMillis(200);

    /**
     * For the second instance where the first one's agent did not come. A machine may be broken, or only busy: a server
     * that begins beside much other work is better late than refusing creates until the next trial.
     */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final StoreRehearsal store;
    private final RuntimeTrial trial;
    private final RuntimeWatch watch;
    private final WarmPool pool;
    private volatile boolean over;

    WarmUp(StoreRehearsal store, RuntimeTrial trial, RuntimeWatch watch, WarmPool pool) {
        this.store = store;
        this.trial = trial;
        this.watch = watch;
        this.pool = pool;
    }

    @Override
    public String part() {
        return "warm-up";
    }

    @Override
    public void check() {
        if (!over) {
            throw new IllegalStateException("The server is still warming up.");
        }
    }

    /** A rehearsal that fails costs only speed: what is wrong is told by the checks. */
    void run(RequestRehearsal requests) {
        var sender = Thread.ofPlatform().name("warm-up").daemon().start(() -> send(requests));
        try {
            store.run();
            tryRuntime();
            sender.join();
        } catch (RuntimeException failed) {
            LOG.info("The warm-up ended early: {}", failed.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            over = true;
            watch.start();
        }
    }

    /**
     * Twice, for speed. After a trial that went well the second instance is the pool's first, which stays for the first
     * create; without a pool it is a trial too. Whether the runtime works is known by the trial that had more time.
     */
    private void tryRuntime() throws InterruptedException {
        boolean quick = trial.hold(USUAL).isEmpty();
        if (quick && pool.open() && pool.awaitFirst(USUAL)) {
            watch.works();
            return;
        }
        var fault = trial.hold(quick ? USUAL : LONGEST);
        if (quick || fault.isEmpty()) {
            watch.works();
        } else {
            watch.broken(fault.get());
        }
    }

    private static void send(RequestRehearsal requests) {
        try {
            requests.run();
        } catch (IOException | RuntimeException failed) {
            LOG.info("The warm-up's requests ended early: {}", failed.getMessage());
        }
    }
}
