package io.bivouac.http.connection;

import io.bivouac.http.connection.HttpConnections.Reason;
import io.micronaut.context.annotation.Context;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.Comparator;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what waits for clients that do not read, of all connections together: beyond it those go that have taken
 * nothing for the longest time. A client that only reads slowly is left alone while there is room.
 */
@Context
class UnreadAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadAnswers.class);

    private static final long LOOK_EVERY_MILLIS = 250;

    private final HttpConnections connections;
    private final long most;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("unread-answers").daemon().factory());

    UnreadAnswers(HttpConnections connections, ConnectionSettings settings) {
        this.connections = connections;
        this.most = settings.getUnread();
    }

    @PostConstruct
    void start() {
        looking.scheduleWithFixedDelay(this::look, LOOK_EVERY_MILLIS, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            closeUnread();
        } catch (RuntimeException failed) {
            // The next look tries again; thrown, there would be none.
            LOG.warn("Looking for clients that do not read failed", failed);
        }
    }

    private void closeUnread() {
        long now = System.nanoTime();
        var all = connections.all();
        long unsent = all.stream().mapToLong(one -> one.lookAtUnsent(now)).sum();
        if (unsent > most) {
            LOG.warn("{} MiB wait for clients that do not read: closing the oldest of them", unsent >> 20);
            closeOldest(
                    all.stream()
                            .filter(one -> one.unsent() > 0)
                            .sorted(Comparator.comparingLong(one -> one.stalledSince() - now))
                            .toList(),
                    unsent);
        }
    }

    private void closeOldest(Iterable<HttpConnection> oldestFirst, long unsent) {
        long left = unsent;
        for (var one : oldestFirst) {
            if (left <= most / 2) {
                return;
            }
            left -= one.unsent();
            connections.close(one, Reason.UNREAD);
        }
    }

    @PreDestroy
    void stop() {
        looking.shutdownNow();
    }
}
