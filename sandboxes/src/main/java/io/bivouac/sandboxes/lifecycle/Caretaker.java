package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxes.Sandbox;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.SandboxTokens;
import io.bivouac.sandboxes.Teardown;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.runtime.Instance;
import io.bivouac.sandboxes.runtime.InstanceSpec;
import io.bivouac.sandboxes.runtime.NoSuchInstance;
import io.bivouac.sandboxes.runtime.RuntimeFailure;
import io.bivouac.sandboxes.runtime.SandboxRuntime;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxes.transition.Happening.StartFailed;
import io.bivouac.sandboxes.transition.Happening.TeardownDone;
import io.bivouac.sandboxes.transition.Happening.TeardownFailed;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
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
    private static final int STRIPES = 1024;

    private final SandboxRuntime runtime;
    private final SandboxStore store;
    private final Templates templates;
    private final SandboxTokens tokens;
    private final LifecycleSettings settings;
    private final ReentrantLock[] stripes =
            Stream.generate(ReentrantLock::new).limit(STRIPES).toArray(ReentrantLock[]::new);
    private final ConcurrentHashMap<SandboxId, Integer> inHand = new ConcurrentHashMap<>();

    Caretaker(
            SandboxRuntime runtime,
            SandboxStore store,
            Templates templates,
            SandboxTokens tokens,
            LifecycleSettings settings) {
        this.runtime = runtime;
        this.store = store;
        this.templates = templates;
        this.tokens = tokens;
        this.settings = settings;
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

    /** Brings a starting sandbox up and a stopping one down; leaves any other as it is. */
    public void attend(SandboxId id) {
        var lock = stripes[Math.floorMod(id.hashCode(), STRIPES)];
        lock.lock();
        try {
            store.find(id).ifPresent(this::attend);
        } finally {
            lock.unlock();
        }
    }

    private void attend(Sandbox sandbox) {
        switch (sandbox.state()) {
            case STARTING -> bringUp(sandbox);
            case STOPPING -> tearDown(sandbox, sandbox.status().teardown());
            case RUNNING, STOPPED, ERROR, DELETED -> {}
        }
    }

    private void bringUp(Sandbox sandbox) {
        var id = sandbox.id();
        try {
            var running = runtime.get(id).filter(instance -> instance.state() == Instance.State.RUNNING);
            if (running.isEmpty()) {
                runtime.create(specOf(sandbox));
                runtime.start(id);
            }
        } catch (RuntimeFailure | BivouacException failed) {
            LOG.warn("Sandbox {} did not start: {}", id, failed.getMessage());
            store.on(id, new StartFailed(failed.getMessage()));
        }
    }

    private InstanceSpec specOf(Sandbox sandbox) {
        var definition = sandbox.definition();
        return new InstanceSpec(
                sandbox.id(),
                sandbox.project(),
                templates.get(definition.template()),
                definition.resources(),
                definition.envs(),
                tokens.joinToken(sandbox.id()),
                definition.workspace() == null ? null : new SandboxId(definition.workspace()));
    }

    private void tearDown(Sandbox sandbox, Teardown teardown) {
        var id = sandbox.id();
        try {
            switch (teardown.purpose()) {
                case STOP -> runtime.stop(id, settings.getStopGrace());
                case EXPIRE, DELETE -> runtime.remove(id, teardown.keepWorkspace());
            }
        } catch (NoSuchInstance gone) {
            LOG.debug("Sandbox {} had no instance any more", id);
        } catch (RuntimeFailure failed) {
            LOG.warn("Sandbox {} could not be taken down: {}", id, failed.getMessage());
            store.on(id, new TeardownFailed(failed.getMessage()));
            return;
        }
        store.on(id, new TeardownDone());
    }
}
