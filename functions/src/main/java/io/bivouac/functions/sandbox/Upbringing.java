package io.bivouac.functions.sandbox;

import io.bivouac.functions.sandbox.CreateSandbox.Timed;
import io.bivouac.functions.sandbox.SandboxView.Timeline;
import io.bivouac.sandboxes.lifecycle.Caretaker;
import io.bivouac.sandboxes.lifecycle.LifecycleSettings;
import io.bivouac.sandboxes.lifecycle.StateWatch;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Value;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the caretaker do what a sandbox's state asks for, and waits for the outcome. At most so many at once:
 * more would only make each of them slower. Nobody waits longer than an answer may take: what is not done by then
 * goes on by itself.
 */
@Singleton
class Upbringing {
    private static final Logger LOG = LoggerFactory.getLogger(Upbringing.class);

    private final Caretaker caretaker;
    private final StateWatch watch;
    private final LifecycleSettings settings;
    private final Semaphore places;

    /** Of the system, as the requests' own are: see RequestThreads. */
    private final ExecutorService workers = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("upbringing-", 0).daemon().factory());

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

    /** Brings a starting sandbox up and waits until it runs or failed, or the answer has to go out. */
    Timed begin(SandboxId id) {
        long asked = System.nanoTime();
        long deadline = deadline();
        try (var wait = watch.on(id)) {
            boolean hasPlace = takePlace(deadline);
            long began = System.nanoTime();
            if (hasPlace) {
                attend(id, places::release, deadline);
            } else {
                beginInBackground(id);
            }
            long started = System.nanoTime();
            var sandbox = wait.until(Upbringing::isUpOrFailed, Duration.ofNanos(deadline - started));
            long over = System.nanoTime();
            return new Timed(
                    sandbox, new Timeline(millis(began - asked), millis(started - began), millis(over - started)));
        }
    }

    /** The same without waiting. */
    void beginInBackground(SandboxId id) {
        goOn(id, () -> {
            places.acquire();
            try {
                caretaker.attend(id);
            } finally {
                places.release();
            }
            return id;
        });
    }

    /** Takes a stopping sandbox down and waits until that is done; a refusal says why it is not. */
    Sandbox takeDown(SandboxId id, SandboxState goal) {
        long deadline = deadline();
        Sandbox after;
        try (var wait = watch.on(id)) {
            attend(id, () -> {}, deadline);
            after = wait.until(
                    found -> found.state() != SandboxState.STOPPING, Duration.ofNanos(deadline - System.nanoTime()));
        }
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

    private static boolean isUpOrFailed(Sandbox found) {
        return found.state() != SandboxState.STARTING;
    }

    private long deadline() {
        return System.nanoTime() + settings.getAnswerWithin().toNanos();
    }

    private boolean takePlace(long deadline) {
        try {
            return places.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            throw interrupted(stopped);
        }
    }

    /** Returns when it is done, or at the deadline: a runtime may have an image to fetch first. */
    private void attend(SandboxId id, Runnable afterwards, long deadline) {
        var work = workers.submit(() -> {
            try {
                caretaker.attend(id);
            } finally {
                afterwards.run();
            }
        });
        try {
            work.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException tooLong) {
            goOn(id, work::get);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException told ? told : new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            throw interrupted(stopped);
        }
    }

    /** Keeps the hand on a sandbox that nobody waits for any more. What then is left undone is the keeper's. */
    private void goOn(SandboxId id, Callable<?> work) {
        var hand = caretaker.take(id);
        background.execute(() -> {
            try (hand) {
                work.call();
                watch.await(id, Upbringing::isUpOrFailed, settings.getStartTimeout());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (Exception failed) {
                LOG.warn("Could not look after {}; the host's keeper will: {}", id, failed.getMessage());
            }
        });
    }

    private static IllegalStateException interrupted(InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("stopped while waiting for a sandbox", stopped);
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1e4) / 1e2;
    }

    @PreDestroy
    void close() {
        workers.shutdown();
        background.shutdownNow();
    }
}
