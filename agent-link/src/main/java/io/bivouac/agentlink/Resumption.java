package io.bivouac.agentlink;

import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxState;
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

    /** The sandbox itself is looked at once a second. */
    private static final int PAUSES_PER_LOOK = 20;

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
        long look = 0;
        while (!stream.isOver() && since(begun).compareTo(settings.getReturnTimeout()) < 0) {
            var present = connections.find(before.sandbox());
            if (present.isPresent() && present.get() != before && present.get().readOn(stream)) {
                return true;
            }
            if (look++ % PAUSES_PER_LOOK == 0 && !mayComeBack(before, since(begun))) {
                return false;
            }
            Thread.sleep(PAUSE);
        }
        return false;
    }

    private boolean mayComeBack(AgentConnection before, Duration waited) {
        if (!before.isBroken()) {
            return waited.compareTo(BREAK_IS_SEEN) < 0;
        }
        var state = store.find(before.sandbox()).map(Sandbox::state).orElse(SandboxState.DELETED);
        return state == SandboxState.RUNNING || state == SandboxState.PAUSED || state == SandboxState.ERROR;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
