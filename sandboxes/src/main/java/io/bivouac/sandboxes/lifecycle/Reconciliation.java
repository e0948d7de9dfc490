package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.warm.WarmPool;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes rows and instances of this host agree. Run by one process a host. */
@Singleton
@Requires(beans = SandboxRuntime.class)
public class Reconciliation {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);

    private final SandboxRuntime runtime;
    private final SandboxStore store;
    private final Caretaker caretaker;
    private final Companions companions;
    private final ExpiredFiles files;
    private final WarmPool warm;
    private final InstanceFailures failures;
    private final LifecycleSettings settings;
    private final String host;

    Reconciliation(
            SandboxRuntime runtime,
            SandboxStore store,
            Caretaker caretaker,
            Companions companions,
            ExpiredFiles files,
            WarmPool warm,
            InstanceFailures failures,
            LifecycleSettings settings,
            Installation installation) {
        this.runtime = runtime;
        this.store = store;
        this.caretaker = caretaker;
        this.companions = companions;
        this.files = files;
        this.warm = warm;
        this.failures = failures;
        this.settings = settings;
        this.host = installation.host();
    }

    /** What a round put right. */
    public record Round(int orphansRemoved, int rowsFailed, int workFinished) {}

    public synchronized Round run() {
        // Instances first: one that is made after this has a row that is read below, never the other way round.
        var instances = new HashMap<SandboxId, Instance>();
        runtime.list().forEach(instance -> instances.put(instance.id(), instance));
        // Before the rows as well: one that is in the pool no more has a row by then.
        warm.instances().forEach(instances::remove);
        var rows = store.onHost(host, runtime.name());
        int orphans = removeOrphans(instances, rows);
        int failed = 0;
        int finished = 0;
        for (var sandbox : rows) {
            if (caretaker.isInHand(sandbox.id())) {
                continue;
            }
            try {
                switch (sandbox.state()) {
                    case STARTING -> {
                        failed += finishStart(sandbox) ? 0 : 1;
                        finished++;
                    }
                    case STOPPING -> {
                        caretaker.attend(sandbox.id());
                        finished++;
                    }
                    case RUNNING, PAUSED -> failed += isThere(sandbox, instances) ? 0 : 1;
                    case STOPPED, ERROR, DELETED -> {}
                }
            } catch (BivouacException | RuntimeFailure passing) {
                // Changed by somebody else meanwhile, or the runtime is busy: the next round looks again.
                LOG.warn("Could not put {} right: {}", sandbox.id(), passing.getMessage());
            }
        }
        files.tidy(rows);
        runtime.tidy();
        return new Round(orphans, failed, finished);
    }

    /** Looks at one sandbox whose instance may have ended. */
    void lookAt(SandboxId id) {
        if (caretaker.isInHand(id)) {
            return;
        }
        store.find(id)
                .filter(sandbox -> sandbox.state() == SandboxState.RUNNING
                        && sandbox.placement().equals(new Placement(runtime.name(), host)))
                .ifPresent(sandbox -> isThere(sandbox, Map.of()));
    }

    private int removeOrphans(Map<SandboxId, Instance> instances, List<Sandbox> rows) {
        var known = rows.stream().map(Sandbox::id).collect(Collectors.toSet());
        int removed = 0;
        for (var instance : instances.values()) {
            if (!known.contains(instance.id()) && !caretaker.isInHand(instance.id())) {
                removed += remove(instance) ? 1 : 0;
            }
        }
        return removed;
    }

    private boolean remove(Instance orphan) {
        companions.beforeTeardown(orphan.id());
        try {
            if (orphan.isUnowned()) {
                LOG.info("Removing {}, which was started ahead and never had an owner", orphan.id());
                runtime.remove(orphan.id(), false);
            } else {
                LOG.warn("Removing {}, which no sandbox knows; what it has in its workspace is kept", orphan.id());
                runtime.removeOrphan(orphan.id());
            }
            return true;
        } catch (RuntimeFailure failed) {
            LOG.warn("Could not remove {}: {}", orphan.id(), failed.getMessage());
            return false;
        }
    }

    /** Whether the start may still succeed. */
    private boolean finishStart(Sandbox sandbox) {
        var deadline = sandbox.status().since().plus(settings.getStartTimeout());
        if (store.now().isAfter(deadline)) {
            failures.agentDidNotCome(sandbox.id(), settings.getStartTimeout());
            return false;
        }
        caretaker.attend(sandbox.id());
        return true;
    }

    private boolean isThere(Sandbox sandbox, Map<SandboxId, Instance> instances) {
        var listed = Optional.ofNullable(instances.get(sandbox.id())).filter(Instance::isAlive);
        // The list is older than the row: a sandbox that came up in between is looked at once more.
        var now = listed.or(() -> runtime.get(sandbox.id()));
        if (now.filter(Instance::isAlive).isPresent()) {
            boolean isPaused = now.get().state() == Instance.State.PAUSED;
            if (isPaused != (sandbox.state() == SandboxState.PAUSED)) {
                caretaker.attend(sandbox.id());
            }
            return true;
        }
        var why = now.map(Instance::detail).map(detail -> "its instance ended: " + detail);
        failures.missing(sandbox.id(), why.orElse("its instance is gone"));
        return store.find(sandbox.id())
                .filter(found -> found.state() == SandboxState.ERROR)
                .isEmpty();
    }
}
