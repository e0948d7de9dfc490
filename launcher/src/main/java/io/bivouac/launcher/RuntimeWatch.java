package io.bivouac.launcher;

import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxes.lifecycle.RuntimeHealth;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries the runtime again while it is broken, and once after a start that failed: what an operator mends works without
 * a restart, and what breaks is told by the next request.
 */
@Singleton
class RuntimeWatch {
    private static final Logger LOG = LoggerFactory.getLogger(RuntimeWatch.class);

    /** On a busy machine a sandbox may take seconds; longer than this it is broken for whoever waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Between two trials, however many starts fail meanwhile. */
    private static final Duration TRY_EVERY = Duration.ofSeconds(10);

    private final RuntimeTrial trial;
    private final RuntimeHealth health;
    private final AtomicBoolean doubted = new AtomicBoolean();
    private final Loop loop = new Loop(
            "runtime-watch", this::look, TRY_EVERY, new Outage(LOG, "The runtime's trial failed", "It is held again"));

    RuntimeWatch(RuntimeTrial trial, RuntimeHealth health) {
        this.trial = trial;
        this.health = health;
        health.onDoubt(() -> doubted.set(true));
    }

    /** Called when the warm-up is over, which holds the first trials. */
    void start() {
        loop.startAfter(TRY_EVERY);
    }

    private Duration look() {
        if (doubted.getAndSet(false) || health.fault().isPresent()) {
            trial.hold(PATIENCE).ifPresentOrElse(this::broken, this::works);
        }
        return TRY_EVERY;
    }

    void broken(String fault) {
        if (health.fault().isEmpty()) {
            LOG.error("No sandbox can be started: {}", fault);
        }
        health.broken(fault);
    }

    void works() {
        if (health.fault().isPresent()) {
            LOG.warn("Sandboxes can be started again");
        }
        health.works();
    }

    @PreDestroy
    void close() {
        loop.stop();
    }
}
