package io.bivouac.sandboxio.egress;

import io.bivouac.foundation.network.AddressGuard;
import io.bivouac.foundation.network.HostLookup;
import io.bivouac.foundation.share.Party;
import io.bivouac.foundation.share.ShareMetrics;
import io.bivouac.foundation.share.ShareTaken;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Connects to hosts, past the guard. Calls wait, so they belong on virtual threads. Thread-safe. */
@Singleton
class EgressDialer {
    private static final Duration LONGEST_LOOKUP = Duration.ofSeconds(5);
    private static final Duration LONGEST_TURN = Duration.ofSeconds(10);

    /** Of one name; those with more are no less reachable by the first. */
    private static final int MOST_ADDRESSES = 4;

    private final AddressGuard guard;
    private final HostLookup lookup = new HostLookup(LONGEST_LOOKUP);
    private final int connectMillis;

    EgressDialer(EgressSettings settings, MeterRegistry metrics) {
        this.guard = AddressGuard.opening(settings.getAllowPrivate());
        this.connectMillis = Math.toIntExact(settings.getConnectTimeout().toMillis());
        ShareMetrics.show(metrics, "egress-lookups", lookup.places());
    }

    /** @param turn of those that may be dialled for one sandbox at a time: hosts that hang hold up nobody else */
    Socket dial(EgressTarget target, Sandbox sandbox, Semaphore turn) throws EgressFailed {
        try {
            if (!turn.tryAcquire(LONGEST_TURN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new EgressFailed(EgressResult.UNAVAILABLE, "Too many connections are being made at a time");
            }
        } catch (InterruptedException stopped) {
            throw stopping();
        }
        try {
            return dial(target, new Party(sandbox.project(), sandbox.id().value()));
        } finally {
            turn.release();
        }
    }

    /** The name is looked up once, and what was checked is what is dialled: an answer that changes changes nothing. */
    private Socket dial(EgressTarget target, Party party) throws EgressFailed {
        var addresses = addresses(target, party);
        var objection = guard.objection(addresses, true);
        if (objection.isPresent()) {
            // What a name means inside is nothing that a sandbox should learn.
            throw new EgressFailed(
                    EgressResult.REFUSED, target + " leads to an address that is not public", objection.get());
        }
        EgressFailed last = null;
        for (var address : addresses.subList(0, Math.min(addresses.size(), MOST_ADDRESSES))) {
            try {
                return connect(new InetSocketAddress(address, target.port()));
            } catch (SocketTimeoutException slow) {
                last = new EgressFailed(EgressResult.TIMEOUT, target + " does not answer");
            } catch (IOException refused) {
                last = new EgressFailed(
                        EgressResult.UNREACHABLE, target + " cannot be reached: " + refused.getMessage());
            }
        }
        throw last == null ? new EgressFailed(EgressResult.UNKNOWN_HOST, target + " has no address") : last;
    }

    private List<InetAddress> addresses(EgressTarget target, Party party) throws EgressFailed {
        try {
            return lookup.addressesOf(target.host(), party).get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof TimeoutException) {
                throw new EgressFailed(EgressResult.TIMEOUT, target.host() + " was not looked up in time");
            }
            if (failed.getCause() instanceof ShareTaken full) {
                throw new EgressFailed(EgressResult.UNAVAILABLE, full.getMessage());
            }
            throw new EgressFailed(EgressResult.UNKNOWN_HOST, target.host() + " cannot be looked up");
        } catch (InterruptedException stopped) {
            throw stopping();
        }
    }

    private static EgressFailed stopping() {
        Thread.currentThread().interrupt();
        return new EgressFailed(EgressResult.UNAVAILABLE, "The relay is stopping");
    }

    private Socket connect(InetSocketAddress address) throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, connectMillis);
            return socket;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    @PreDestroy
    void close() {
        lookup.close();
    }
}
