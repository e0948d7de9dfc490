package io.bivouac.sandboxio.egress;

import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections that are open here; cuts those that are no longer allowed, or on which nothing moves. Thread-safe. */
@Singleton
class EgressConnections {
    private static final Logger LOG = LoggerFactory.getLogger(EgressConnections.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** Names looked up and hosts dialled for one sandbox at a time. */
    private static final int DIALLED_AT_ONCE = 16;

    private final SandboxStore store;
    private final EgressAudit audit;
    private final EgressMetrics metrics;
    private final Duration idleTimeout;
    private final Map<SandboxId, Ways> open = new ConcurrentHashMap<>();
    private final Thread idleWatch = Thread.ofVirtual().name("egress-idle").unstarted(this::watchIdle);

    /** Those of one sandbox. */
    private record Ways(Set<EgressConnection> all, Semaphore dialling) {
        Ways() {
            this(ConcurrentHashMap.newKeySet(), new Semaphore(DIALLED_AT_ONCE, true));
        }
    }

    EgressConnections(
            SandboxStore store, EgressAudit audit, EgressMetrics metrics, EgressSettings settings, ChangeFeed feed) {
        this.store = store;
        this.audit = audit;
        this.metrics = metrics;
        this.idleTimeout = settings.getIdleTimeout();
        metrics.countOpen(
                () -> open.values().stream().mapToInt(ways -> ways.all().size()).sum());
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                if (id.startsWith(SandboxId.PREFIX) && open.containsKey(new SandboxId(id))) {
                    look(List.of(new SandboxId(id)));
                }
            }

            @Override
            public void reconnected() {
                look(List.copyOf(open.keySet()));
            }
        });
    }

    /**
     * To be called before the policy is read: whatever changes after that is heard of and holds for this one too.
     *
     * @return whose turn it is to be dialled
     */
    Semaphore add(EgressConnection connection) {
        var ways = open.compute(connection.sandbox(), (_, present) -> {
            var all = present == null ? new Ways() : present;
            all.all().add(connection);
            return all;
        });
        return ways.dialling();
    }

    void remove(EgressConnection connection) {
        open.computeIfPresent(connection.sandbox(), (_, ways) -> {
            ways.all().remove(connection);
            return ways.all().isEmpty() ? null : ways;
        });
    }

    /** Not on the feed's thread, which must not wait for the database. */
    private void look(List<SandboxId> ids) {
        if (!ids.isEmpty()) {
            Thread.ofVirtual().name("egress-look").start(() -> ids.forEach(this::cutWhatIsNotAllowed));
        }
    }

    private void cutWhatIsNotAllowed(SandboxId id) {
        try {
            var sandbox = store.find(id);
            var ways = open.get(id);
            if (ways == null) {
                return;
            }
            var policy = sandbox.filter(found -> found.state().mayRun())
                    .map(found -> found.definition().egress())
                    .orElse(EgressPolicy.NOTHING);
            var cut = ways.all().stream()
                    .filter(connection -> !connection.mayGoOn(policy) && connection.cut())
                    .map(EgressConnection::target)
                    .toList();
            if (!cut.isEmpty()) {
                metrics.cut(cut.size());
                sandbox.ifPresent(found -> audit.cut(found, cut));
            }
        } catch (RuntimeException databaseAway) {
            // The feed says when it is back, and all are looked at again.
            LOG.debug("{}: could not look what it may reach: {}", id, databaseAway.getMessage());
        }
    }

    @PostConstruct
    void start() {
        idleWatch.start();
    }

    private void watchIdle() {
        try {
            while (true) {
                Thread.sleep(LOOK_EVERY);
                long now = System.nanoTime();
                open.values().stream()
                        .flatMap(ways -> ways.all().stream())
                        .filter(connection -> connection.idleFor(now).compareTo(idleTimeout) > 0)
                        .forEach(EgressConnection::cut);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @PreDestroy
    void close() {
        idleWatch.interrupt();
        open.values().forEach(ways -> ways.all().forEach(EgressConnection::cut));
    }
}
