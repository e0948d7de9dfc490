package io.bivouac.sandboxes.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Looks names up with the system's resolver, beside the caller and within a time. Thread-safe. */
public final class HostLookup implements AutoCloseable {
    /** A resolver that hangs holds this many threads and no more. */
    private static final int AT_ONCE = 64;

    /** Real ones: the system's resolver blocks the thread below a virtual one, of which there are only a few. */
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("host-lookup-", 0).daemon().factory());

    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Duration atMost;

    public HostLookup(Duration atMost) {
        this.atMost = atMost;
    }

    /** All addresses of the name, or of the literal; fails with {@link UnknownHostException} or a timeout. */
    public CompletableFuture<List<InetAddress>> addressesOf(String host) {
        if (!places.tryAcquire()) {
            return CompletableFuture.failedFuture(new UnknownHostException("too many names are being looked up"));
        }
        return CompletableFuture.supplyAsync(() -> lookUp(host), threads)
                .orTimeout(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    private List<InetAddress> lookUp(String host) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException unknown) {
            throw new CompletionException(unknown);
        } finally {
            places.release();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
