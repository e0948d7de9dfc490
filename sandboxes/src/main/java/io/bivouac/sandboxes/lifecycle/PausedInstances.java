package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.PausableInstances;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.transition.Happening.PauseFailed;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has instances of this host be frozen, or not, as their rows say. Thread-safe. */
@Singleton
@Requires(beans = SandboxRuntime.class)
class PausedInstances {
    private static final Logger LOG = LoggerFactory.getLogger(PausedInstances.class);

    private final SandboxRuntime runtime;
    private final AuditedChanges changes;

    /** So that a start, which ends in the same state as a resumption, asks the runtime nothing. */
    private final Set<String> paused = ConcurrentHashMap.newKeySet();

    PausedInstances(SandboxRuntime runtime, AuditedChanges changes) {
        this.runtime = runtime;
        this.changes = changes;
    }

    /** Refuses where no instance can be paused; what other hosts can, they say themselves. */
    void mustBePossible() {
        if (runtime.isHere()) {
            var why =
                    runtime.pausableInstances().map(PausableInstances::obstacle).orElseGet(() -> Optional.of(unable()));
            why.ifPresent(obstacle -> {
                throw new BivouacException(ErrorCode.UNSUPPORTED_BY_RUNTIME, obstacle);
            });
        }
    }

    private String unable() {
        return "Sandboxes of " + runtime.name() + " cannot be paused.";
    }

    /** Whether this process has seen it paused, and not resumed since. */
    boolean isPaused(String id) {
        return paused.contains(id);
    }

    /** One that cannot be frozen runs on, and its row says so again. */
    void pause(SandboxId id) {
        paused.add(id.value());
        try {
            var can = runtime.pausableInstances().orElseThrow(() -> new RuntimeFailure(unable()));
            can.pause(id);
        } catch (NoSuchInstance gone) {
            LOG.debug("Sandbox {} has no instance to pause; the next round says so", id);
        } catch (RuntimeFailure failed) {
            LOG.warn("Sandbox {} could not be paused: {}", id, failed.getMessage());
            var reason = InstanceFailures.shown(failed.getMessage());
            changes.change(id, new PauseFailed(reason), AuditedChanges.SYSTEM);
            resume(id);
        }
    }

    void resume(SandboxId id) {
        runtime.pausableInstances().ifPresent(can -> {
            try {
                can.resume(id);
            } catch (NoSuchInstance gone) {
                LOG.debug("Sandbox {} has no instance to resume; the next round says so", id);
            }
        });
        paused.remove(id.value());
    }

    void forget(SandboxId id) {
        paused.remove(id.value());
    }
}
