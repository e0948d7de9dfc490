package io.bivouac.launcher;

import io.bivouac.runtimes.bubblewrap.BubblewrapRuntime;
import io.bivouac.sandboxes.lifecycle.Caretaker;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.template.Template;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * An instance that no sandbox belongs to, made, started and removed. The relay refuses its agent, which ends then.
 * After a crash in between it is an orphan, which the housekeeping removes. Only where that takes milliseconds: a
 * Docker engine would take longer than all else of a start.
 */
@Singleton
class RuntimeRehearsal {
    /** An agent registers, and is refused, within milliseconds; on a busy machine the rest of it is not worth a wait. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(200);

    private static final int ROUNDS = 2;

    private final SandboxRuntime runtime;
    private final Templates templates;
    private final SandboxTokens tokens;
    private final Caretaker caretaker;

    RuntimeRehearsal(SandboxRuntime runtime, Templates templates, SandboxTokens tokens, Caretaker caretaker) {
        this.runtime = runtime;
        this.templates = templates;
        this.tokens = tokens;
        this.caretaker = caretaker;
    }

    void run() {
        if (runtime.name().equals(BubblewrapRuntime.NAME)) {
            for (int round = 0; round < ROUNDS; round++) {
                makeAndRemove(SandboxId.next());
            }
        }
    }

    private void makeAndRemove(SandboxId id) {
        var template = templates.get(Template.DEFAULT);
        try (var _ = caretaker.take(id)) {
            try {
                runtime.create(
                        new InstanceSpec(id, "", template, template.resources(), Map.of(), tokens.joinToken(id), null));
                runtime.start(id);
                awaitEnd(id);
            } finally {
                runtime.remove(id, false);
            }
        }
    }

    private void awaitEnd(SandboxId id) {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (isRunning(id) && System.nanoTime() < deadline) {
            try {
                Thread.sleep(2);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private boolean isRunning(SandboxId id) {
        return runtime.get(id).map(Instance::state).equals(Optional.of(Instance.State.RUNNING));
    }
}
