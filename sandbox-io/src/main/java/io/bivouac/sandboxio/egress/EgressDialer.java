package io.bivouac.sandboxio.egress;

import io.bivouac.foundation.network.AddressGuard;
import io.bivouac.foundation.network.AddressRefused;
import io.bivouac.foundation.network.GuardedDialer;
import io.bivouac.foundation.network.GuardedDialer.Destination;
import io.bivouac.foundation.share.Party;
import io.bivouac.foundation.share.ShareMetrics;
import io.bivouac.foundation.share.ShareTaken;
import io.bivouac.sandboxio.egress.EgressGate.Passed;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import io.bivouac.sandboxmodel.egress.Reach;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Connects to hosts, past the guard. Calls wait, so they belong on virtual threads. Thread-safe. */
@Singleton
class EgressDialer {
    private static final Duration LONGEST_LOOKUP = Duration.ofSeconds(5);
    private static final Duration LONGEST_TURN = Duration.ofSeconds(10);

    private final GuardedDialer dialer;
    private final AddressGuard publicOnly = AddressGuard.opening("");
    private final int connectMillis;

    EgressDialer(EgressSettings settings, MeterRegistry metrics) {
        this.dialer = new GuardedDialer(AddressGuard.opening(settings.getAllowPrivate()), LONGEST_LOOKUP);
        this.connectMillis = Math.toIntExact(settings.getConnectTimeout().toMillis());
        ShareMetrics.show(metrics, "egress-lookups", dialer.lookups());
    }

    /** @param turn of those that may be dialled for one sandbox at a time: hosts that hang hold up nobody else */
    Socket dial(EgressTarget target, Passed passed, Semaphore turn) throws EgressFailed {
        try {
            if (!turn.tryAcquire(LONGEST_TURN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new EgressFailed(EgressResult.UNAVAILABLE, "Too many connections are being made at a time");
            }
        } catch (InterruptedException stopped) {
            throw stopping();
        }
        try {
            var sandbox = passed.sandbox();
            return dial(
                    target,
                    passed.reach(),
                    new Party(sandbox.project(), sandbox.id().value()));
        } finally {
            turn.release();
        }
    }

    private Socket dial(EgressTarget target, Reach reach, Party party) throws EgressFailed {
        try {
            // Encryption is the sandbox's own affair: what it sends through the tunnel is not looked at.
            var addresses = dialer.addressesOf(new Destination(target.host(), target.port(), true), party)
                    .get();
            if (reach == Reach.IF_PUBLIC) {
                mustBePublic(target, addresses);
            }
            return GuardedDialer.connectToFirst(addresses, target.port(), this::connect)
                    .get();
        } catch (ExecutionException failed) {
            throw reason(target, failed.getCause());
        } catch (InterruptedException stopped) {
            throw stopping();
        }
    }

    /** What the operator has opened beside public addresses is for those whose list names it. */
    private void mustBePublic(EgressTarget target, List<InetAddress> addresses) throws EgressFailed {
        var objection = publicOnly.objection(addresses, true);
        if (objection.isPresent()) {
            throw notPublic(target, objection.get());
        }
    }

    /** What a name means inside is nothing that a sandbox should learn. */
    private static EgressFailed notPublic(EgressTarget target, String note) {
        return new EgressFailed(EgressResult.REFUSED, target + " leads to an address that is not public", note);
    }

    private static EgressFailed reason(EgressTarget target, Throwable cause) {
        return switch (cause) {
            case AddressRefused refused -> notPublic(target, refused.getMessage());
            case TimeoutException _ ->
                new EgressFailed(EgressResult.TIMEOUT, target.host() + " was not looked up in time");
            case ShareTaken full -> new EgressFailed(EgressResult.UNAVAILABLE, full.getMessage());
            case UnknownHostException _ ->
                new EgressFailed(EgressResult.UNKNOWN_HOST, target.host() + " cannot be looked up");
            case SocketTimeoutException _ -> new EgressFailed(EgressResult.TIMEOUT, target + " does not answer");
            default -> new EgressFailed(EgressResult.UNREACHABLE, target + " cannot be reached: " + cause.getMessage());
        };
    }

    private static EgressFailed stopping() {
        Thread.currentThread().interrupt();
        return new EgressFailed(EgressResult.UNAVAILABLE, "The relay is stopping");
    }

    /** Waits, on the thread of whoever dials. */
    private CompletableFuture<Socket> connect(InetSocketAddress address) {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, connectMillis);
            return CompletableFuture.completedFuture(socket);
        } catch (IOException failed) {
            return CompletableFuture.failedFuture(closed(socket, failed));
        }
    }

    private static IOException closed(Socket socket, IOException failed) {
        try {
            socket.close();
        } catch (IOException unclosed) {
            failed.addSuppressed(unclosed);
        }
        return failed;
    }

    @PreDestroy
    void close() {
        dialer.close();
    }
}
