package io.bivouac.launcher;

import io.bivouac.http.health.ReadinessCheck;
import jakarta.inject.Singleton;
import java.io.IOException;
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

    private final StoreRehearsal store;
    private final RuntimeRehearsal runtime;
    private volatile boolean over;

    WarmUp(StoreRehearsal store, RuntimeRehearsal runtime) {
        this.store = store;
        this.runtime = runtime;
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

    /** A rehearsal that fails costs only speed: what is wrong is told by the other checks. */
    void run(RequestRehearsal requests) {
        var sender = Thread.ofPlatform().name("warm-up").daemon().start(() -> send(requests));
        try {
            store.run();
            runtime.run();
            sender.join();
        } catch (RuntimeException failed) {
            LOG.info("The warm-up ended early: {}", failed.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            over = true;
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
