package io.bivouac.foundation.network;

import io.bivouac.foundation.share.Party;
import io.bivouac.foundation.share.Shares;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Connects to hosts on somebody else's word. A name is looked up once, all of its addresses are checked, and those very
 * addresses are dialled, one after the other: an answer that changes in between changes nothing. Thread-safe.
 */
public final class GuardedDialer implements AutoCloseable {
    /** Of one name; a host with more is no less reachable by the first. */
    private static final int MOST_ADDRESSES = 4;

    private final AddressGuard guard;
    private final HostLookup lookup;

    public GuardedDialer(AddressGuard guard, Duration longestLookup) {
        this.guard = guard;
        this.lookup = new HostLookup(longestLookup);
    }

    /** @param encrypted whether the connection will be: only opened addresses are reached without */
    public record Destination(String host, int port, boolean encrypted) {}

    public AddressGuard guard() {
        return guard;
    }

    /** Look-ups under way, for metrics. */
    public Shares lookups() {
        return lookup.places();
    }

    /** Addresses whether they may be dialled or not, as {@link HostLookup#addressesOf} gives them. */
    public CompletableFuture<List<InetAddress>> lookUp(String host, Party party) {
        return lookup.addressesOf(host, party);
    }

    /** Addresses that may be dialled; fails as the look-up does, or with {@link AddressRefused}. */
    public CompletableFuture<List<InetAddress>> addressesOf(Destination destination, Party party) {
        return lookUp(destination.host(), party).thenApply(found -> {
            guard.objection(found, destination.encrypted()).ifPresent(objection -> {
                throw new AddressRefused(objection);
            });
            return found;
        });
    }

    /**
     * The first connection that succeeds; the failure of the last one when none does.
     *
     * @param connect opens a connection to one address
     */
    public <C> CompletableFuture<C> dial(
            Destination destination, Party party, Function<InetSocketAddress, CompletableFuture<C>> connect) {
        return addressesOf(destination, party)
                .thenCompose(addresses -> connectToFirst(addresses, destination.port(), connect));
    }

    /** @param addresses that {@link #addressesOf} gave */
    public static <C> CompletableFuture<C> connectToFirst(
            List<InetAddress> addresses, int port, Function<InetSocketAddress, CompletableFuture<C>> connect) {
        CompletableFuture<C> attempt =
                CompletableFuture.failedFuture(new UnknownHostException("the name has no address"));
        for (var address : addresses.subList(0, Math.min(addresses.size(), MOST_ADDRESSES))) {
            attempt = attempt.exceptionallyCompose(_ -> connect.apply(new InetSocketAddress(address, port)));
        }
        return attempt;
    }

    @Override
    public void close() {
        lookup.close();
    }
}
