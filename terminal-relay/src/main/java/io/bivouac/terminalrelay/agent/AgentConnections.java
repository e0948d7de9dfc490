package io.bivouac.terminalrelay.agent;

import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The agents that are connected to this relay. Thread-safe. */
@Singleton
public class AgentConnections {
    private final AgentSettings settings;
    private final Map<SandboxId, AgentConnection> connections = new ConcurrentHashMap<>();

    /** One future for each sandbox that somebody waits for. */
    private final Map<SandboxId, CompletableFuture<AgentConnection>> awaited = new ConcurrentHashMap<>();

    AgentConnections(AgentSettings settings, AgentMetrics metrics) {
        this.settings = settings;
        metrics.countConnected(connections::size);
    }

    public Optional<AgentConnection> find(SandboxId id) {
        return Optional.ofNullable(connections.get(id));
    }

    /** The agent's connection, given a moment to come if it is just reconnecting. */
    public AgentConnection get(SandboxId id) {
        var present = connections.get(id);
        return present == null ? await(id) : present;
    }

    private AgentConnection await(SandboxId id) {
        var coming = awaited.computeIfAbsent(id, _ -> new CompletableFuture<>());
        try {
            var arrived = connections.get(id);
            return arrived != null
                    ? arrived
                    : coming.get(settings.getWaitForAgent().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException absent) {
            throw new BivouacException(
                    ErrorCode.UNAVAILABLE, "The agent of sandbox " + id + " is not connected; try again.");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The relay is stopping.");
        } finally {
            if (coming.getNumberOfDependents() == 0) {
                awaited.remove(id, coming);
            }
        }
    }

    Collection<AgentConnection> all() {
        return connections.values();
    }

    void add(AgentConnection connection) {
        connections.put(connection.sandbox(), connection);
        var waiting = awaited.remove(connection.sandbox());
        if (waiting != null) {
            waiting.complete(connection);
        }
        if (connection.isBroken()) {
            connection.broke("the connection broke");
        }
    }

    /** False when it was removed before, or a newer one has its place. */
    boolean remove(AgentConnection connection) {
        return connections.remove(connection.sandbox(), connection);
    }
}
