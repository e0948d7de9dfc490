package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What is known about the cluster's network. It is tried once in a process, with the first image that has started, beside
 * everything else. Thread-safe.
 */
final class NetworkVerdict implements AutoCloseable {
    private static final String PIDS =
            "The limit on processes is not enforced by Bivouac: it is the kubelet's podPidsLimit.";
    private static final String POD_WORKSPACES =
            "A workspace ends with its Pod, unless the template's Pods have a volume.";

    private final PolicyTrial trial;
    private final ExecutorService threads = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("network-trial").factory());
    private CompletableFuture<Check> held;

    NetworkVerdict(PolicyTrial trial) {
        this.trial = trial;
    }

    /** @param image has just started, so its agent can be asked */
    synchronized void canBeFoundBy(String image) {
        if (held == null) {
            held = CompletableFuture.supplyAsync(() -> trial.hold(image), threads);
        }
    }

    synchronized Check check() {
        if (held == null || !held.isDone()) {
            return Check.fine("network policy", "not tried yet: that is done when the first sandbox has started");
        }
        return held.join();
    }

    /** Waits for the trial. */
    Check await() {
        CompletableFuture<Check> awaited;
        synchronized (this) {
            awaited = held;
        }
        return awaited == null ? check() : awaited.join();
    }

    Optional<String> exposure() {
        var check = check();
        return check.ok() ? Optional.empty() : Optional.of("Network policy: " + check.seen() + ". " + check.costs());
    }

    List<String> notes() {
        var notes = new ArrayList<String>();
        exposure().ifPresent(notes::add);
        notes.add(PIDS);
        notes.add(POD_WORKSPACES);
        return notes;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
