package io.bivouac.foundation.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Looks names up with the system's resolver, beside the caller and within a time. Thread-safe. */
public final class HostLookup implements AutoCloseable {
    /** A resolver that hangs holds this many threads and no more. */
    private static final int AT_ONCE = 64;

    /** Of these, as many may be one party's: whose names hang keeps only itself waiting. */
    private static final int AT_ONCE_FOR_ONE = 16;

    /** Real ones: the system's resolver blocks the thread below a virtual one, of which there are only a few. */
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("host-lookup-", 0).daemon().factory());

    private final ExecutorService waiters = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Map<String, Semaphore> shares = new ConcurrentHashMap<>();
    private final Duration atMost;

    public HostLookup(Duration atMost) {
        this.atMost = atMost;
    }

    /** All addresses of the name, or of the literal; fails with {@link UnknownHostException} or a timeout. */
    public CompletableFuture<List<InetAddress>> addressesOf(String host) {
        return begun(host, () -> {}).orTimeout(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The same for one of many parties, which waits while too many of its own names are being looked up. */
    public CompletableFuture<List<InetAddress>> addressesOf(String host, String party) {
        var share = shares.computeIfAbsent(party, _ -> new Semaphore(AT_ONCE_FOR_ONE));
        return CompletableFuture.runAsync(() -> take(share), waiters)
                .thenCompose(_ -> begun(host, share::release))
                .orTimeout(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void take(Semaphore share) {
        try {
            if (!share.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new CompletionException(tooMany());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            throw new CompletionException(closed);
        }
    }

    private CompletableFuture<List<InetAddress>> begun(String host, Runnable over) {
        if (!places.tryAcquire()) {
            over.run();
            return CompletableFuture.failedFuture(tooMany());
        }
        return CompletableFuture.supplyAsync(() -> lookUp(host, over), threads);
    }

    private List<InetAddress> lookUp(String host, Runnable over) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException unknown) {
            throw new CompletionException(unknown);
        } finally {
            places.release();
            over.run();
        }
    }

    private static UnknownHostException tooMany() {
        return new UnknownHostException("too many names are being looked up");
    }

    @Override
    public void close() {
        waiters.shutdownNow();
        threads.shutdownNow();
    }
}
