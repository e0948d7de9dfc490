package io.bivouac.foundation.presence;

import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether an approver is connected, here or at another server. One that is connected here counts at once; other
 * servers hear of it within a second, and forget it when this one has been silent for {@link #SILENCE}. Thread-safe.
 */
@Singleton
public class ApproverPresence {
    /** A row that was not renewed for so long is of a server that is gone. */
    static final Duration SILENCE = Duration.ofSeconds(20);

    private static final Duration RENEW_EVERY = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(ApproverPresence.class);
    private static final String WHOLE_PROJECT = "";

    private final PresenceRows rows;
    private final Clock clock;
    private final String server = UUID.randomUUID().toString();

    /** How many are connected here, by where. */
    private final Map<Where, Integer> here = new ConcurrentHashMap<>();

    /** What the table has of this server; touched by the loop alone. */
    private final Set<Where> written = new HashSet<>();

    private final Loop loop;

    private record Where(String project, String sandbox) {}

    /** One connected approver, until it is closed. */
    public interface Seat extends AutoCloseable {
        @Override
        void close();
    }

    ApproverPresence(PresenceRows rows, Clock clock) {
        this.rows = rows;
        this.clock = clock;
        this.loop = new Loop(
                "approver-presence",
                this::write,
                RENEW_EVERY,
                new Outage(LOG, "Other servers do not hear of approvers", "Other servers hear of approvers again"));
    }

    @EventListener
    void start(ServerStartupEvent event) {
        loop.start();
    }

    /** Somebody who answers for all sandboxes of a project has come. */
    public Seat joined(String project) {
        return joined(project, WHOLE_PROJECT);
    }

    /** Somebody who answers for one sandbox has come. */
    public Seat joined(String project, String sandbox) {
        var where = new Where(project, sandbox);
        if (here.merge(where, 1, Integer::sum) == 1) {
            loop.wake();
        }
        var left = new AtomicBoolean();
        return () -> {
            if (!left.getAndSet(true) && here.computeIfPresent(where, (_, n) -> n == 1 ? null : n - 1) == null) {
                loop.wake();
            }
        };
    }

    /** Whether an approver is connected who may answer for this sandbox. */
    public boolean isAnybodyThere(String project, String sandbox) {
        return here.containsKey(new Where(project, WHOLE_PROJECT))
                || here.containsKey(new Where(project, sandbox))
                || rows.isAnybodyElsewhere(server, project, sandbox, clock.instant());
    }

    private Duration write() {
        var present = Set.copyOf(here.keySet());
        var until = clock.instant().plus(SILENCE);
        for (var where : present) {
            // Before the row: a failure in between leaves a row that is known to be there.
            written.add(where);
            rows.here(server, where.project(), where.sandbox(), until);
        }
        for (var where : Set.copyOf(written)) {
            if (!present.contains(where)) {
                rows.gone(server, where.project(), where.sandbox());
                written.remove(where);
            }
        }
        return written.isEmpty() ? SILENCE : RENEW_EVERY;
    }

    @PreDestroy
    void close() {
        loop.stop();
        try {
            rows.goneAll(server, clock.instant());
        } catch (RuntimeException databaseAway) {
            LOG.debug("The approvers that were connected here count for {} more", SILENCE);
        }
    }
}
