package io.bivouac.functions.sandbox;

import io.bivouac.functions.sandbox.CreateSandbox.Timed;
import io.bivouac.functions.sandbox.SandboxView.Timeline;
import io.bivouac.sandboxes.Sandbox;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.SandboxState;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.bivouac.sandboxes.lifecycle.Caretaker;
import io.bivouac.sandboxes.lifecycle.LifecycleSettings;
import io.bivouac.sandboxes.watch.StateWatch;
import io.micronaut.context.annotation.Value;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the caretaker do what a sandbox's state asks for, and waits for the outcome. At most so many at once:
 * more would only make each of them slower.
 */
@Singleton
class Upbringing {
    private static final Logger LOG = LoggerFactory.getLogger(Upbringing.class);

    private final Caretaker caretaker;
    private final StateWatch watch;
    private final LifecycleSettings settings;
    private final Semaphore places;
    private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();

    Upbringing(
            Caretaker caretaker,
            StateWatch watch,
            LifecycleSettings settings,
            @Value("${bivouac.lifecycle.starts-at-once:16}") int startsAtOnce) {
        this.caretaker = caretaker;
        this.watch = watch;
        this.settings = settings;
        this.places = new Semaphore(startsAtOnce, true);
    }

    Caretaker.Hand take(SandboxId id) {
        return caretaker.take(id);
    }

    /** Brings a starting sandbox up and waits until it runs or failed. */
    Timed begin(SandboxId id) {
        long asked = System.nanoTime();
        places.acquireUninterruptibly();
        long began = System.nanoTime();
        try (var wait = watch.on(id)) {
            try {
                caretaker.attend(id);
            } finally {
                places.release();
            }
            long started = System.nanoTime();
            var sandbox = wait.until(found -> found.state() != SandboxState.STARTING, settings.getStartTimeout());
            long over = System.nanoTime();
            return new Timed(
                    sandbox, new Timeline(millis(began - asked), millis(started - began), millis(over - started)));
        }
    }

    /** The same without waiting. The hand on the sandbox may be let go: a sandbox left alone is the keeper's. */
    void beginInBackground(SandboxId id) {
        background.execute(() -> {
            try (var _ = caretaker.take(id)) {
                begin(id);
            } catch (RuntimeException failed) {
                LOG.warn("Could not bring {} up; the host's keeper will: {}", id, failed.getMessage());
            }
        });
    }

    /** Takes a stopping sandbox down and waits until that is done; a refusal says why it is not. */
    Sandbox takeDown(SandboxId id, SandboxState goal) {
        caretaker.attend(id);
        var after = await(id, found -> found.state() != SandboxState.STOPPING);
        if (after.state() == goal) {
            return after;
        }
        throw switch (after.state()) {
            case ERROR ->
                new BivouacException(
                        ErrorCode.INTERNAL_ERROR,
                        "Sandbox " + id + " could not be taken down: "
                                + after.status().reason() + ". Deleting it tries again.");
            case STOPPING ->
                new BivouacException(
                        ErrorCode.UNAVAILABLE,
                        "Sandbox " + id + " is still being taken down by its host, "
                                + after.placement().host() + ".");
            case STARTING, RUNNING, STOPPED, DELETED ->
                new BivouacException(ErrorCode.CONFLICT, "Sandbox " + id + " was changed by somebody else meanwhile.");
        };
    }

    private Sandbox await(SandboxId id, Predicate<Sandbox> fits) {
        return watch.await(id, fits, settings.getStartTimeout());
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1e4) / 1e2;
    }

    @PreDestroy
    void close() {
        background.shutdownNow();
    }
}
