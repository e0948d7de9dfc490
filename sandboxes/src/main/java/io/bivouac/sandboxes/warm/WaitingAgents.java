package io.bivouac.sandboxes.warm;

import io.bivouac.sandboxmodel.SandboxId;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The agents that this process expects without a row of their sandboxes: where relay and pool meet. Thread-safe. */
@Singleton
public class WaitingAgents {
    private final Map<SandboxId, Expected> expected = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private record Expected(CompletableFuture<WaitingAgent> arrival, Runnable left) {}

    /** @param left called when the agent came, and its connection broke before anybody forgot it */
    CompletableFuture<WaitingAgent> expect(SandboxId id, Runnable left) {
        var arrival = new CompletableFuture<WaitingAgent>();
        expected.put(id, new Expected(arrival, left));
        if (closed) {
            refuse(arrival);
        }
        return arrival;
    }

    /** The relay is closed or about to be: whoever waits for an agent hears at once that it does not come. */
    void close() {
        closed = true;
        expected.values().forEach(place -> refuse(place.arrival()));
    }

    private static void refuse(CompletableFuture<WaitingAgent> arrival) {
        arrival.completeExceptionally(new IllegalStateException("the server stops"));
    }

    /** One that came before, and that nothing came of. */
    void expectAgain(SandboxId id, WaitingAgent agent, Runnable left) {
        expected.put(id, new Expected(CompletableFuture.completedFuture(agent), left));
    }

    /** For a relay whose agent has proven itself. False when it does not wait here, as it has a row or nobody knows it. */
    public boolean arrived(SandboxId id, WaitingAgent agent) {
        var place = expected.get(id);
        return place != null && place.arrival().complete(agent);
    }

    /** For a relay: the connection of one that waits broke. */
    public void left(SandboxId id, WaitingAgent agent) {
        var place = expected.get(id);
        if (place != null && place.arrival().getNow(null) == agent && expected.remove(id, place)) {
            place.left().run();
        }
    }

    /** Its sandbox has an owner from now on, or is no more. False when the agent left before. */
    boolean forget(SandboxId id) {
        return expected.remove(id) != null;
    }
}
