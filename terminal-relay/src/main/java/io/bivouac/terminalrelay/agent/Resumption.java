package io.bivouac.terminalrelay.agent;

import io.bivouac.sandboxes.Sandbox;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.SandboxState;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.store.SandboxStore;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on with readers whose agent's connection broke: the agent keeps the command and its output meanwhile, and when
 * it is back each reader reads on at its own offset. Thread-safe.
 */
@Singleton
class Resumption {
    private static final Logger LOG = LoggerFactory.getLogger(Resumption.class);

    /** A stream that ended although its connection did not is no break. */
    private static final Duration BREAK_IS_SEEN = Duration.ofSeconds(2);

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final AgentConnections connections;
    private final SandboxStore store;
    private final AgentSettings settings;

    Resumption(AgentConnections connections, SandboxStore store, AgentSettings settings) {
        this.connections = connections;
        this.store = store;
        this.settings = settings;
    }

    void begin(CommandStream stream, AgentConnection before, String why) {
        Thread.ofVirtual().name("resume").start(() -> {
            try {
                if (resumed(stream, before)) {
                    return;
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException failed) {
                LOG.warn("{}: a command could not be read on: {}", before.sandbox(), failed.toString());
            }
            stream.lost(why);
        });
    }

    private boolean resumed(CommandStream stream, AgentConnection before) throws InterruptedException {
        long begun = System.nanoTime();
        while (!stream.isOver() && since(begun).compareTo(settings.getReturnTimeout()) < 0) {
            var present = connections.find(before.sandbox());
            if (present.isPresent() && present.get() != before) {
                if (present.get().readOn(stream)) {
                    return true;
                }
            } else if (!mayComeBack(before, since(begun))) {
                return false;
            } else if (present.isEmpty() && isAwaited(before.sandbox())) {
                continue;
            }
            Thread.sleep(PAUSE);
        }
        return false;
    }

    /** True as soon as it is there again. */
    private boolean isAwaited(SandboxId id) {
        try {
            connections.get(id);
            return true;
        } catch (BivouacException notYet) {
            return false;
        }
    }

    private boolean mayComeBack(AgentConnection before, Duration waited) {
        if (!before.isBroken()) {
            return waited.compareTo(BREAK_IS_SEEN) < 0;
        }
        var state = store.find(before.sandbox()).map(Sandbox::state).orElse(SandboxState.DELETED);
        return state == SandboxState.RUNNING || state == SandboxState.ERROR;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
