package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.share.Bounds;
import io.bivouac.foundation.share.Party;
import io.bivouac.foundation.share.Place;
import io.bivouac.foundation.share.ShareMetrics;
import io.bivouac.foundation.share.ShareTaken;
import io.bivouac.foundation.share.Shares;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the caretaker bring a sandbox up or down, and waits for the outcome. The number of starts at once is bounded:
 * more would only make each of them slower. A project has a share of them, and the project with the fewest goes first.
 * Nobody waits longer than an answer may take, unless the plan says so: a
 * start or end that is not done by then goes on by itself. Thread-safe.
 */
@Singleton
@Requires(beans = SandboxRuntime.class)
class LifecycleCalls {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleCalls.class);

    /** Between two looks at an instance whose agent has not come yet; agents come within milliseconds. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** A start that got no place by then is left to the host's keeper. */
    private static final Duration LONGEST_QUEUE = Duration.ofHours(1);

    private final Caretaker caretaker;
    private final InstanceFailures failures;
    private final StateWatch watch;
    private final LifecycleSettings settings;
    private final Shares places;

    /** Of the system, as the requests' own are: see RequestThreads. */
    private final ExecutorService workers = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("lifecycle-", 0).daemon().factory());

    private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();

    LifecycleCalls(
            Caretaker caretaker,
            InstanceFailures failures,
            StateWatch watch,
            LifecycleSettings settings,
            MeterRegistry metrics) {
        this.caretaker = caretaker;
        this.failures = failures;
        this.watch = watch;
        this.settings = settings;
        int perProject = settings.getStartsPerProject();
        this.places = new Shares("starts", new Bounds(settings.getStartsAtOnce(), perProject, perProject));
        ShareMetrics.show(metrics, "starts", places);
    }

    /** The host's keeper leaves the sandbox alone until the hand is closed. */
    Caretaker.Hand take(SandboxId id) {
        return caretaker.take(id);
    }

    /** Brings a starting sandbox up and waits, as the plan says, until it runs or has failed. */
    StartedSandbox start(Sandbox sandbox, StartPlan plan) {
        var id = sandbox.id();
        Runnable attend = () -> caretaker.attend(id, () -> plan.beforeStart(id));
        if (!plan.waits()) {
            startInBackground(sandbox, attend);
            return new StartedSandbox(sandbox, null);
        }
        long asked = System.nanoTime();
        long deadline = asked + (plan.atMost() == null ? settings.getAnswerWithin() : plan.atMost()).toNanos();
        try (var wait = watch.listenTo(id)) {
            var place = placeBy(deadline, sandbox);
            long began = System.nanoTime();
            if (place != null) {
                run(id, attend, place::close, deadline);
            } else {
                startInBackground(sandbox, attend);
            }
            long started = System.nanoTime();
            var outcome = place != null
                    ? awaitAgent(id, wait, deadline)
                    : wait.until(LifecycleCalls::isUpOrFailed, Duration.ofNanos(deadline - started));
            long over = System.nanoTime();
            return new StartedSandbox(
                    outcome,
                    new StartTimeline(nanos(began - asked), nanos(started - began), nanos(over - started), false));
        }
    }

    /** Whether sandboxes are being started, or wait for a place. */
    boolean areUnderWay() {
        return places.taken() + places.waiting() > 0;
    }

    /**
     * Lets the agent of a sandbox in that was started ahead. Should it be gone, the sandbox is started like any other.
     *
     * @param agent lets it in; false when it cannot be
     */
    StartedSandbox admit(Sandbox sandbox, BooleanSupplier agent, StartPlan plan) {
        var id = sandbox.id();
        if (!plan.waits()) {
            goOn(id, () -> {
                if (!caretaker.admit(id, agent)) {
                    caretaker.attend(id);
                }
                return id;
            });
            return new StartedSandbox(sandbox, null);
        }
        try (var wait = watch.listenTo(id)) {
            long asked = System.nanoTime();
            if (caretaker.admit(id, agent)) {
                var outcome = wait.until(LifecycleCalls::isUpOrFailed, settings.getAnswerWithin());
                long took = System.nanoTime() - asked;
                return new StartedSandbox(outcome, new StartTimeline(nanos(0), nanos(0), nanos(took), true));
            }
        }
        return start(sandbox, plan);
    }

    /** The runtime has done its part: from here on an instance that ends is a start that failed. */
    private Sandbox awaitAgent(SandboxId id, StateWatch.Wait wait, long deadline) {
        while (true) {
            var left = Duration.ofNanos(deadline - System.nanoTime());
            boolean last = left.compareTo(LOOK_EVERY) <= 0;
            var outcome = wait.until(LifecycleCalls::isUpOrFailed, last ? left : LOOK_EVERY);
            if (last || isUpOrFailed(outcome)) {
                return outcome;
            }
            failures.endedBeforeItsAgentCame(id);
        }
    }

    private void startInBackground(Sandbox sandbox, Runnable attend) {
        goOn(sandbox.id(), () -> {
            try (var _ = places.await(partyOf(sandbox), LONGEST_QUEUE)) {
                attend.run();
            }
            return sandbox.id();
        });
    }

    /** All of a project's starts are one party's: whose key asked for them makes no difference to the host. */
    private static Party partyOf(Sandbox sandbox) {
        return new Party(sandbox.project(), sandbox.project());
    }

    /** The sandbox when a start that somebody else asked for is over, or as it is when an answer has to go out. */
    Sandbox awaitStart(SandboxId id) {
        return watch.await(id, LifecycleCalls::isUpOrFailed, settings.getAnswerWithin());
    }

    /** Takes a stopping sandbox down and waits until that is done; a refusal says why it is not. */
    Sandbox end(SandboxId id, SandboxState goal) {
        long deadline = System.nanoTime() + settings.getAnswerWithin().toNanos();
        Sandbox after;
        try (var wait = watch.listenTo(id)) {
            run(id, () -> caretaker.attend(id), () -> {}, deadline);
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
            case STARTING, RUNNING, PAUSED, STOPPED, DELETED ->
                new BivouacException(ErrorCode.CONFLICT, "Sandbox " + id + " was changed by somebody else meanwhile.");
        };
    }

    private static boolean isUpOrFailed(Sandbox found) {
        return found.state() != SandboxState.STARTING;
    }

    /** Null when there is none in time. */
    private @Nullable Place placeBy(long deadline, Sandbox sandbox) {
        try {
            return places.await(partyOf(sandbox), Duration.ofNanos(deadline - System.nanoTime()));
        } catch (ShareTaken tooLong) {
            return null;
        } catch (InterruptedException stopped) {
            throw interrupted(stopped);
        }
    }

    /** Returns when it is done, or at the deadline: a runtime may have an image to fetch first. */
    private void run(SandboxId id, Runnable attend, Runnable afterwards, long deadline) {
        var work = workers.submit(() -> {
            try {
                attend.run();
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
                long deadline = System.nanoTime() + settings.getStartTimeout().toNanos();
                try (var wait = watch.listenTo(id)) {
                    if (!isUpOrFailed(awaitAgent(id, wait, deadline))) {
                        failures.agentDidNotCome(id, settings.getStartTimeout());
                    }
                }
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

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    @PreDestroy
    void close() {
        workers.shutdown();
        background.shutdownNow();
    }
}
