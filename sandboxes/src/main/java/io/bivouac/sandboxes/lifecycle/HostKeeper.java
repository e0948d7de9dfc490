package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.foundation.database.AdvisoryLock;
import io.bivouac.foundation.database.DatabaseSettings;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxes.lifecycle.Reconciliation.Round;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after this host's sandboxes when no function of this process does: at once when a row changes, and by a
 * full round at the start and every 30 s. One process a host does this.
 */
@Context
@Requires(beans = SandboxRuntime.class)
public class HostKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(HostKeeper.class);
    private static final int AT_ONCE = 32;
    private static final Duration LOCK_RETRY = Duration.ofSeconds(1);

    private final Reconciliation reconciliation;
    private final Caretaker caretaker;
    private final SandboxRuntime runtime;
    private final Duration every;
    private final AdvisoryLock lock;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Loop loop = new Loop(
            "host-keeper",
            this::keep,
            LOCK_RETRY,
            new Outage(LOG, "Could not reconcile", "Reconciliation works again"));
    private volatile boolean keeping;

    HostKeeper(
            Reconciliation reconciliation,
            Caretaker caretaker,
            SandboxRuntime runtime,
            Installation installation,
            LifecycleSettings settings,
            DatabaseSettings database,
            ChangeFeed feed) {
        this.reconciliation = reconciliation;
        this.caretaker = caretaker;
        this.runtime = runtime;
        this.every = settings.getReconcileEvery();
        this.lock = new AdvisoryLock(
                database.parsed(), "host/" + installation.id() + "/" + installation.host() + "/" + runtime.name());
        runtime.onEnd(this::mayHaveEnded);
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                lookAt(id);
            }

            @Override
            public void changed(String id, SandboxState state) {
                if (caretaker.isAskedBy(id, state)) {
                    lookAt(id);
                }
            }

            @Override
            public void reconnected() {
                loop.wake();
            }
        });
    }

    @PostConstruct
    void start() {
        if (runtime.isHere()) {
            loop.start();
        }
    }

    /** A full round now; empty when another process keeps this host. */
    public Optional<Round> roundNow() {
        return keeping ? Optional.of(reconciliation.run()) : Optional.empty();
    }

    private void lookAt(String id) {
        if (!keeping || !SortableId.matches(SandboxId.PREFIX, id)) {
            return;
        }
        var sandboxId = new SandboxId(id);
        if (caretaker.isInHand(sandboxId)) {
            return;
        }
        inPlace(sandboxId, () -> caretaker.attend(sandboxId));
    }

    private void mayHaveEnded(SandboxId id) {
        if (keeping) {
            inPlace(id, () -> reconciliation.lookAt(id));
        }
    }

    private void inPlace(SandboxId id, Runnable work) {
        workers.execute(() -> {
            try {
                places.acquire();
                try {
                    work.run();
                } finally {
                    places.release();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException failed) {
                LOG.warn("Could not look after {}; the next round will: {}", id, failed.getMessage());
            }
        });
    }

    private Duration keep() throws SQLException {
        try {
            keeping = lock.holds();
            if (!keeping) {
                return LOCK_RETRY;
            }
            var round = reconciliation.run();
            LOG.debug("Reconciled: {}", round);
            return every;
        } catch (SQLException | RuntimeException failed) {
            keeping = false;
            throw failed;
        }
    }

    @PreDestroy
    void close() {
        loop.stop();
        keeping = false;
        workers.shutdownNow();
        lock.close();
    }
}
