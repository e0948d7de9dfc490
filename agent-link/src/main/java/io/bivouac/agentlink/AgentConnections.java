package io.bivouac.agentlink;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;
import java.time.Duration;
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
    /** How often it is asked whether an agent has come to another relay. */
    private static final Duration LOOK_ELSEWHERE = Duration.ofMillis(250);

    /** From the row that names this relay to the connection that can be used. */
    private static final Duration REGISTERING = Duration.ofMillis(500);

    private final AgentSettings settings;
    private final ConnectionRecords records;
    private final RemoteRelays remote;
    private final Map<SandboxId, AgentConnection> connections = new ConcurrentHashMap<>();

    /** One future for each sandbox that somebody waits for. */
    private final Map<SandboxId, CompletableFuture<AgentConnection>> awaited = new ConcurrentHashMap<>();

    AgentConnections(AgentSettings settings, ConnectionRecords records, RemoteRelays remote, AgentMetrics metrics) {
        this.settings = settings;
        this.records = records;
        this.remote = remote;
        metrics.countConnected(connections::size);
        metrics.countReaders(() ->
                connections.values().stream().mapToInt(AgentConnection::readers).sum());
    }

    public Optional<AgentConnection> find(SandboxId id) {
        return Optional.ofNullable(connections.get(id));
    }

    /** The agent, here or at another relay, given a moment to come if it is just reconnecting. */
    public Agent get(SandboxId id) {
        long deadline = System.nanoTime() + settings.getWaitForAgent().toNanos();
        while (true) {
            var present = connections.get(id);
            if (present != null) {
                return present;
            }
            var elsewhere = elsewhere(id);
            if (elsewhere.isPresent()) {
                return elsewhere.get();
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw notConnected(id.value());
            }
            await(id, Math.min(left, LOOK_ELSEWHERE.toNanos()));
        }
    }

    /** For another relay, which may have heard of the agent's registration before it was complete here. */
    AgentConnection awaitHere(SandboxId id) {
        await(id, REGISTERING.toNanos());
        return find(id).orElseThrow(() -> notConnected(id.value()));
    }

    private Optional<Agent> elsewhere(SandboxId id) {
        return records.holder(id)
                .flatMap(held -> Optional.ofNullable(remote.find(held.relay(), held.agentAddress()))
                        .map(relay -> new RemoteAgent(id, relay, held.secretsKey())));
    }

    private void await(SandboxId id, long nanos) {
        var coming = awaited.computeIfAbsent(id, _ -> new CompletableFuture<>());
        try {
            if (!connections.containsKey(id)) {
                coming.get(nanos, TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException | ExecutionException absent) {
            // Looked at again by the caller.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The relay is stopping.");
        } finally {
            if (coming.getNumberOfDependents() == 0) {
                awaited.remove(id, coming);
            }
        }
    }

    static BivouacException notConnected(String id) {
        return new BivouacException(
                ErrorCode.UNAVAILABLE, "The agent of sandbox " + id + " is not connected; try again.");
    }

    void tickRemote(long now) {
        remote.tick(now);
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
