package io.bivouac.launcher;

import io.bivouac.agentlink.AgentArrival;
import io.bivouac.runtimes.bubblewrap.BubblewrapRuntime;
import io.bivouac.sandboxes.lifecycle.Caretaker;
import io.bivouac.sandboxes.lifecycle.LastWords;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.template.Template;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An instance that no sandbox belongs to, made, started and removed: the runtime works when its agent reaches the
 * relay, which refuses it. After a crash in between it is an orphan, which reconciliation removes. A Docker engine is
 * only asked whether it is there: an instance of it would take longer than all else of a start. Thread-safe.
 */
@Singleton
class RuntimeTrial implements AgentArrival {
    private static final Duration LOOK_EVERY = Duration.ofMillis(2);

    private final SandboxRuntime runtime;
    private final Templates templates;
    private final SandboxTokens tokens;
    private final Caretaker caretaker;

    /** Those whose agents have not come yet. */
    private final Set<SandboxId> expected = ConcurrentHashMap.newKeySet();

    RuntimeTrial(SandboxRuntime runtime, Templates templates, SandboxTokens tokens, Caretaker caretaker) {
        this.runtime = runtime;
        this.templates = templates;
        this.tokens = tokens;
        this.caretaker = caretaker;
    }

    @Override
    public void arriving(SandboxId id) {
        expected.remove(id);
    }

    /** What is wrong; empty when all went well within that time. */
    Optional<String> hold(Duration patience) {
        try {
            if (runtime.isHere()) {
                runtime.check();
            }
            return runtime.isHere() && runtime.name().equals(BubblewrapRuntime.NAME)
                    ? makeAndRemove(SandboxId.next(), patience)
                    : Optional.empty();
        } catch (RuntimeFailure failed) {
            return Optional.of(failed.getMessage());
        }
    }

    private Optional<String> makeAndRemove(SandboxId id, Duration patience) {
        var template = templates.get(Template.DEFAULT);
        expected.add(id);
        try (var _ = caretaker.take(id)) {
            try {
                runtime.create(new InstanceSpec(
                        id, InstanceSpec.NOBODY, template, template.resources(), Map.of(), tokens.joinToken(id), null));
                runtime.start(id);
                return awaitAgent(id, patience)
                        ? Optional.empty()
                        : Optional.of("the agent of a trial sandbox did not reach the server within "
                                + patience.toMillis() + " ms" + LastWords.of(runtime, id));
            } finally {
                runtime.remove(id, false);
            }
        } finally {
            expected.remove(id);
        }
    }

    private boolean awaitAgent(SandboxId id, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (expected.contains(id)) {
            if (System.nanoTime() - deadline > 0 || !isRunning(id)) {
                return !expected.contains(id);
            }
            try {
                Thread.sleep(LOOK_EVERY);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private boolean isRunning(SandboxId id) {
        return runtime.get(id).map(Instance::state).equals(Optional.of(Instance.State.RUNNING));
    }
}
