package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.HostPaths;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.transition.Happening;
import io.bivouac.sandboxmodel.transition.Happening.InstanceMissing;
import io.bivouac.sandboxmodel.transition.Happening.StartFailed;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts sandboxes into the state {@code error} whose instance failed. The log has the whole reason; what is stored and
 * shown to users names no place of this host. Thread-safe.
 */
@Singleton
@Requires(beans = SandboxRuntime.class)
class InstanceFailures {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceFailures.class);

    private final SandboxRuntime runtime;
    private final AuditedChanges changes;
    private final RuntimeHealth health;

    InstanceFailures(SandboxRuntime runtime, AuditedChanges changes, RuntimeHealth health) {
        this.runtime = runtime;
        this.changes = changes;
        this.health = health;
    }

    /** The runtime could not make or start it. */
    void notStarted(SandboxId id, RuntimeException failed) {
        fail(id, new StartFailed(shown(failed.getMessage())), failed.getMessage());
        if (failed instanceof RuntimeFailure) {
            health.doubt();
        }
    }

    /** Fails a start whose instance has ended before its agent connected; no other. */
    void endedBeforeItsAgentCame(SandboxId id) {
        try {
            var ended = runtime.get(id).filter(instance -> instance.state() == Instance.State.STOPPED);
            ended.ifPresent(instance -> agentMissing(id, "its agent ended before it connected"));
        } catch (RuntimeFailure busy) {
            LOG.debug("{} will be looked at again: {}", id, busy.getMessage());
        }
    }

    /** Its agent has had its time. */
    void agentDidNotCome(SandboxId id, Duration waited) {
        agentMissing(id, "its agent did not connect within " + waited.toSeconds() + " s");
    }

    private void agentMissing(SandboxId id, String what) {
        var reason = what + LastWords.of(runtime, id);
        fail(id, new StartFailed(shown(reason)), reason);
        health.doubt();
    }

    /** It ran, and its instance is gone or has ended. */
    void missing(SandboxId id, String reason) {
        fail(id, new InstanceMissing(shown(reason)), reason);
    }

    private void fail(SandboxId id, Happening happening, String reason) {
        LOG.warn("Sandbox {} failed: {}", id, reason);
        changes.change(id, happening, AuditedChanges.SYSTEM);
    }

    static String shown(String reason) {
        return HostPaths.hiddenIn(String.valueOf(reason));
    }
}
