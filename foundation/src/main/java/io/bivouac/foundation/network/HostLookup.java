package io.bivouac.foundation.network;

import io.bivouac.foundation.share.Bounds;
import io.bivouac.foundation.share.Party;
import io.bivouac.foundation.share.Place;
import io.bivouac.foundation.share.ShareTaken;
import io.bivouac.foundation.share.Shares;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Looks names up with the system's resolver, beside the caller and within a time. A party whose names hang keeps only
 * itself waiting: a look-up counts against it until the resolver has answered, also when nobody waits for that any
 * more. Thread-safe.
 */
public final class HostLookup implements AutoCloseable {
    /** A resolver that hangs holds as many threads as there are places and no more. */
    private static final Bounds BOUNDS = new Bounds(64, 16, 8);

    /** Added to the wait for a place: a caller who got none hears that, on a busy machine too, and not of a timeout. */
    private static final Duration REFUSAL_DELAY = Duration.ofMillis(100);

    /** Real ones: the system's resolver blocks the thread below a virtual one, of which there are only a few. */
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("host-lookup-", 0).daemon().factory());

    private final ExecutorService waiters = Executors.newVirtualThreadPerTaskExecutor();
    private final Shares places = new Shares("names being looked up", BOUNDS);
    private final Duration atMost;

    public HostLookup(Duration atMost) {
        this.atMost = atMost;
    }

    /** For metrics. */
    public Shares places() {
        return places;
    }

    /**
     * All addresses of the name, or of the literal. Fails with {@link UnknownHostException} when there is none, with a
     * timeout when there was no answer, and with {@link ShareTaken} when the party got no place in that time.
     */
    public CompletableFuture<List<InetAddress>> addressesOf(String host, Party party) {
        var literal = literal(host);
        if (literal.isPresent()) {
            return CompletableFuture.completedFuture(List.of(literal.get()));
        }
        var found = new CompletableFuture<List<InetAddress>>();
        waiters.execute(() -> begin(host, party, found));
        return found.orTimeout(atMost.plus(REFUSAL_DELAY).toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Asks nobody, so it takes no place. */
    private static Optional<InetAddress> literal(String host) {
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException name) {
            return Optional.empty();
        }
    }

    private void begin(String host, Party party, CompletableFuture<List<InetAddress>> found) {
        try {
            var place = places.await(party, atMost);
            if (found.isDone()) {
                place.close();
            } else {
                threads.execute(() -> lookUp(host, place, found));
            }
        } catch (ShareTaken full) {
            found.completeExceptionally(full);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            found.completeExceptionally(new CompletionException(closed));
        }
    }

    private static void lookUp(String host, Place place, CompletableFuture<List<InetAddress>> found) {
        try (place) {
            found.complete(List.of(InetAddress.getAllByName(host)));
        } catch (UnknownHostException unknown) {
            found.completeExceptionally(unknown);
        }
    }

    @Override
    public void close() {
        waiters.shutdownNow();
        threads.shutdownNow();
    }
}
