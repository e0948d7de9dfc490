package io.bivouac.sandboxes.warm;

import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.template.Template;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts sandboxes without an owner, and removes those that get none. Each is this process's from before it is made
 * until it is removed, or until its owner's row is stored. Thread-safe.
 */
@Singleton
@Requires(beans = SandboxRuntime.class)
class WarmStarter {
    private static final Logger LOG = LoggerFactory.getLogger(WarmStarter.class);

    /** An agent comes within milliseconds. */
    private static final Duration LONGEST_ARRIVAL = Duration.ofSeconds(10);

    private final SandboxRuntime runtime;
    private final SandboxTokens tokens;
    private final WaitingAgents agents;
    private final Set<SandboxId> ours = ConcurrentHashMap.newKeySet();

    WarmStarter(SandboxRuntime runtime, SandboxTokens tokens, WaitingAgents agents) {
        this.runtime = runtime;
        this.tokens = tokens;
        this.agents = agents;
    }

    /** All that were made without an owner and have none whose row is stored. */
    Set<SandboxId> ours() {
        return Set.copyOf(ours);
    }

    /**
     * A sandbox that runs, and whose agent waits.
     *
     * @param left called when that agent is gone before the sandbox has an owner
     */
    WarmSandbox start(Template template, Consumer<SandboxId> left) throws InterruptedException {
        var id = SandboxId.next();
        ours.add(id);
        var arrival = agents.expect(id, () -> left.accept(id));
        try {
            runtime.create(new InstanceSpec(
                    id, InstanceSpec.NOBODY, template, template.resources(), Map.of(), tokens.joinToken(id), null));
            runtime.start(id);
            return new WarmSandbox(id, template, arrival.get(LONGEST_ARRIVAL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (RuntimeFailure | InterruptedException failed) {
            remove(id);
            throw failed;
        } catch (TimeoutException | ExecutionException missing) {
            remove(id);
            throw new RuntimeFailure(
                    "the agent of a sandbox that was started ahead did not come within " + LONGEST_ARRIVAL.toSeconds()
                            + " s",
                    missing);
        }
    }

    /** No agent comes any more: a start that waits for one fails at once, and removes what it has made. */
    void close() {
        agents.close();
    }

    /** Its agent is expected no more; false when it is gone already. */
    boolean take(SandboxId id) {
        return agents.forget(id);
    }

    /** Expects the agent again of one that was taken and not touched; false when it is gone already. */
    boolean putBack(WarmSandbox taken, Consumer<SandboxId> left) {
        agents.expectAgain(taken.id(), taken.agent(), () -> left.accept(taken.id()));
        return taken.agent().isConnected();
    }

    /** It has an owner, or reconciliation is to remove it. */
    void release(SandboxId id) {
        ours.remove(id);
    }

    /** What cannot be removed is left to reconciliation. */
    void remove(SandboxId id) {
        agents.forget(id);
        try {
            runtime.remove(id, false);
        } catch (NoSuchInstance gone) {
            LOG.debug("{} was gone already", id);
        } catch (RuntimeFailure failed) {
            LOG.warn("Could not remove {}, which was started ahead: {}", id, failed.getMessage());
        } finally {
            ours.remove(id);
        }
    }
}
