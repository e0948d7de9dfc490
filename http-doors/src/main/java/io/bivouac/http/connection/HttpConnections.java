package io.bivouac.http.connection;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * All connections of HTTP clients. When there are too many, the one that has waited longest makes room: first those
 * on which nobody has logged in, then those between two requests. One with a request under way stays. Thread-safe.
 */
@Singleton
class HttpConnections {
    private final ConnectionSettings settings;
    private final MeterRegistry registry;
    private final Set<HttpConnection> all = new LinkedHashSet<>();

    /** On which nobody has logged in and no request is whole, the oldest first. */
    private final Set<HttpConnection> strangers = new LinkedHashSet<>();

    /** Somebody logged in, and asks nothing now; the oldest first. */
    private final Set<HttpConnection> resting = new LinkedHashSet<>();

    private final Map<InetAddress, Integer> byAddress = new HashMap<>();

    /** Why a connection was closed from this side. */
    enum Reason {
        /** There are as many as there may be. */
        BOUND,
        /** There are as many of its address. */
        ADDRESS,
        /** Its request did not come in time. */
        SILENT,
        /** It did not take its answers while memory was short. */
        UNREAD
    }

    HttpConnections(ConnectionSettings settings, MeterRegistry registry) {
        this.settings = settings;
        this.registry = registry;
        Gauge.builder("bivouac.http.connections", this, HttpConnections::size)
                .description("Connections of HTTP clients")
                .register(registry);
        for (var reason : Reason.values()) {
            count(reason, 0);
        }
    }

    private synchronized double size() {
        return all.size();
    }

    synchronized List<HttpConnection> all() {
        return List.copyOf(all);
    }

    /** Counts a new connection; one that finds no room is closed. */
    void add(HttpConnection connection) {
        HttpConnection leaving = null;
        Reason reason = Reason.BOUND;
        synchronized (this) {
            var address = connection.address();
            if (address != null && byAddress.getOrDefault(address, 0) >= settings.getConnectionsPerAddress()) {
                reason = Reason.ADDRESS;
                leaving = firstOf(address, connection);
            } else if (all.size() >= settings.getConnections()) {
                leaving = first(connection);
            }
            if (leaving != null) {
                forget(leaving);
            }
            if (leaving != connection) {
                all.add(connection);
                strangers.add(connection);
                if (address != null) {
                    byAddress.merge(address, 1, Integer::sum);
                }
            }
        }
        if (leaving != null) {
            close(leaving, reason);
        }
    }

    private HttpConnection first(HttpConnection otherwise) {
        for (var waiting : List.of(strangers, resting)) {
            if (!waiting.isEmpty()) {
                return waiting.iterator().next();
            }
        }
        return otherwise;
    }

    private HttpConnection firstOf(InetAddress address, HttpConnection otherwise) {
        for (var waiting : List.of(strangers, resting)) {
            for (var one : waiting) {
                if (address.equals(one.address())) {
                    return one;
                }
            }
        }
        return otherwise;
    }

    void close(HttpConnection connection, Reason reason) {
        count(reason, 1);
        connection.close();
    }

    private void count(Reason reason, int closed) {
        registry.counter(
                        "bivouac.http.connections.closed",
                        "reason",
                        reason.name().toLowerCase(Locale.ROOT))
                .increment(closed);
    }

    /** A whole request is under way. */
    synchronized void works(HttpConnection connection) {
        strangers.remove(connection);
        resting.remove(connection);
    }

    /** Waits for a request, or for the rest of one. */
    synchronized void waits(HttpConnection connection, boolean proven) {
        if (all.contains(connection)) {
            (proven ? strangers : resting).remove(connection);
            (proven ? resting : strangers).add(connection);
        }
    }

    synchronized void closed(HttpConnection connection) {
        forget(connection);
    }

    private void forget(HttpConnection connection) {
        if (all.remove(connection)) {
            strangers.remove(connection);
            resting.remove(connection);
            leave(connection.address());
        }
    }

    private void leave(@Nullable InetAddress address) {
        if (address != null) {
            byAddress.computeIfPresent(address, (_, before) -> before == 1 ? null : before - 1);
        }
    }
}
