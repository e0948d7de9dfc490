package io.bivouac.sandboxes.lifecycle;

import static io.bivouac.sandboxmodel.Teardown.Purpose.EXPIRE;

import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.StripedLocks;
import io.bivouac.sandboxmodel.Teardown;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.transition.Happening;
import io.bivouac.sandboxmodel.transition.Happening.TeardownDone;
import io.bivouac.sandboxmodel.transition.Happening.TeardownFailed;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does on this host what a sandbox's state asks for. Every step may be repeated, so it does not matter who
 * calls it, how often, or whether somebody before died in the middle. Thread-safe.
 */
@Singleton
@Requires(beans = SandboxRuntime.class)
public class Caretaker {
    private static final Logger LOG = LoggerFactory.getLogger(Caretaker.class);
    private static final int LOCKS = 1024;

    /** Between asking a sandbox to end and ending it. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);

    private final SandboxRuntime runtime;
    private final SandboxStore store;
    private final InstanceFailures failures;
    private final InstanceSpecs specs;
    private final Companions companions;
    private final PausedInstances paused;
    private final ExpiredFiles files;
    private final Placement here;
    private final StripedLocks locks = new StripedLocks(LOCKS);
    private final ConcurrentHashMap<SandboxId, Integer> inHand = new ConcurrentHashMap<>();
    private final List<Consumer<SandboxId>> beforeEnd = new CopyOnWriteArrayList<>();

    Caretaker(
            SandboxRuntime runtime,
            SandboxStore store,
            InstanceFailures failures,
            InstanceSpecs specs,
            Companions companions,
            PausedInstances paused,
            ExpiredFiles files,
            Installation installation) {
        this.runtime = runtime;
        this.store = store;
        this.failures = failures;
        this.specs = specs;
        this.companions = companions;
        this.paused = paused;
        this.files = files;
        this.here = new Placement(runtime.name(), installation.host());
    }

    /** While the hand is on it, a sandbox is somebody's: the keeper leaves it alone. */
    public Hand take(SandboxId id) {
        inHand.merge(id, 1, Integer::sum);
        return () -> inHand.computeIfPresent(id, (_, hands) -> hands == 1 ? null : hands - 1);
    }

    /** Lets go when closed. */
    public interface Hand extends AutoCloseable {
        @Override
        void close();
    }

    boolean isInHand(SandboxId id) {
        return inHand.containsKey(id);
    }

    /** The step is taken when a sandbox's processes are gone and before its end is stored and told. */
    public void beforeEnd(Consumer<SandboxId> step) {
        beforeEnd.add(step);
    }

    /** Another host's sandbox, or another runtime's, has a caretaker of its own. */
    private boolean isOurs(Sandbox sandbox) {
        return sandbox.placement().equals(here);
    }

    /** Brings a starting sandbox up and a stopping one down; leaves any other as it is. */
    void attend(SandboxId id) {
        attend(id, () -> {});
    }

    /** @param beforeStart what is still to be done when the instance has been made and before it starts */
    void attend(SandboxId id, Runnable beforeStart) {
        locks.holding(id, () -> store.find(id).filter(this::isOurs).ifPresent(sandbox -> attend(sandbox, beforeStart)));
    }

    /** Lets the agent of a sandbox in that was started ahead; false when the sandbox must be started like any other. */
    boolean admit(SandboxId id, BooleanSupplier agent) {
        return locks.holding(id, () -> {
            companions.started(id);
            return agent.getAsBoolean();
        });
    }

    /** Whether there is something to be done for a sandbox in this state. */
    boolean isAskedBy(String id, SandboxState state) {
        return switch (state) {
            case STARTING, PAUSED, STOPPING -> true;
            case RUNNING -> paused.isPaused(id);
            case STOPPED, ERROR, DELETED -> false;
        };
    }

    private void attend(Sandbox sandbox, Runnable beforeStart) {
        switch (sandbox.state()) {
            case STARTING -> bringUp(sandbox, beforeStart);
            case STOPPING -> tearDown(sandbox);
            case RUNNING -> paused.resume(sandbox.id());
            case PAUSED -> paused.pause(sandbox.id());
            case STOPPED, ERROR, DELETED -> {}
        }
    }

    private void bringUp(Sandbox sandbox, Runnable beforeStart) {
        var id = sandbox.id();
        try {
            var running = runtime.get(id).filter(instance -> instance.state() == Instance.State.RUNNING);
            if (running.isEmpty()) {
                runtime.create(specs.of(sandbox));
                beforeStart.run();
                runtime.start(id);
            }
            companions.started(id);
        } catch (RuntimeFailure | BivouacException failed) {
            failures.notStarted(id, failed);
        }
    }

    /** Again when another end was asked for meanwhile: a stop that became a delete has removed nothing yet. */
    private void tearDown(Sandbox stopping) {
        var sandbox = stopping;
        while (sandbox.state() == SandboxState.STOPPING) {
            var teardown = sandbox.status().teardown();
            boolean keeps = teardown.keepWorkspace() && (teardown.purpose() != EXPIRE || files.mayStay(sandbox));
            sandbox = store.on(sandbox.id(), outcomeOf(sandbox.id(), teardown, keeps));
            if (sandbox.hasExpired() && !keeps) {
                sandbox = files.gone(sandbox);
            }
        }
    }

    private Happening outcomeOf(SandboxId id, Teardown teardown, boolean keepData) {
        companions.beforeTeardown(id);
        try {
            switch (teardown.purpose()) {
                case STOP, STOP_AT_EXPIRY -> runtime.stop(id, STOP_GRACE);
                case EXPIRE, DELETE -> runtime.remove(id, keepData);
            }
        } catch (NoSuchInstance gone) {
            LOG.debug("Sandbox {} had no instance any more", id);
        } catch (RuntimeFailure failed) {
            LOG.warn("Sandbox {} could not be taken down: {}", id, failed.getMessage());
            return new TeardownFailed(teardown, InstanceFailures.shown(failed.getMessage()));
        }
        paused.forget(id);
        beforeEnd.forEach(step -> attempt(step, id));
        return new TeardownDone(teardown);
    }

    private static void attempt(Consumer<SandboxId> step, SandboxId id) {
        try {
            step.accept(id);
        } catch (RuntimeException failed) {
            LOG.warn("Sandbox {} ends with something of it left open: {}", id, failed.getMessage());
        }
    }
}
