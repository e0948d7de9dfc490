package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxes.store.SandboxStore;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what is stored about questions, here or at other relays, to the agents and clients that are connected here,
 * and says no where the time is over. What this process stores itself goes the short way.
 */
@Singleton
class PermissionNews {
    private static final Logger LOG = LoggerFactory.getLogger(PermissionNews.class);
    private static final int BATCH = 200;
    private static final int UNREAD = 1024;
    private static final int LOOKS_PER_PURGE = 1000;

    /** While no question is known to be open, the table is read at every so many looks only. */
    private static final int LOOKS_PER_READING = 10;

    private final Permissions permissions;
    private final PermissionRows rows;
    private final List<Askers> askers;
    private final ApproverSeats seats;
    private final SandboxStore store;
    private final PermissionSettings settings;
    private final BlockingQueue<String> changed = new ArrayBlockingQueue<>(UNREAD);
    private final Loop loop;
    private volatile boolean missed;

    /** Whether some question may be open, here or at another relay. */
    private volatile boolean open = true;

    private long lookAt;
    private long looks;

    PermissionNews(
            Permissions permissions,
            PermissionRows rows,
            List<Askers> askers,
            ApproverSeats seats,
            SandboxStore store,
            PermissionSettings settings,
            ChangeFeed feed) {
        this.permissions = permissions;
        this.rows = rows;
        this.askers = askers;
        this.seats = seats;
        this.store = store;
        this.settings = settings;
        this.loop = new Loop(
                "permission-news",
                this::bring,
                settings.getLookEvery(),
                new Outage(LOG, "News of permission requests wait", "News of permission requests arrive again"));
        permissions.onChange(this::tell);
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                if (id.startsWith(PermissionRequest.PREFIX)) {
                    open = true;
                    missed |= !changed.offer(id);
                    loop.wake();
                }
            }

            @Override
            public void reconnected() {
                open = true;
                missed = true;
            }
        });
    }

    @EventListener
    void start(ServerStartupEvent event) {
        lookAt = System.nanoTime();
        loop.start();
    }

    private void tell(PermissionRequest request) {
        askers.forEach(asker -> asker.heard(request));
        seats.heard(request);
    }

    /** Reads what has changed and, when that is due, looks by itself; pauses until the next look. */
    private Duration bring() {
        try {
            if (!changed.isEmpty()) {
                readChanged();
            }
            if (System.nanoTime() - lookAt >= 0) {
                lookAt = System.nanoTime() + settings.getLookEvery().toNanos();
                lookByItself();
            }
            return changed.isEmpty() ? Duration.ofNanos(Math.max(0, lookAt - System.nanoTime())) : Duration.ZERO;
        } catch (RuntimeException failed) {
            open = true;
            missed = true;
            throw failed;
        }
    }

    private void lookByItself() {
        if (open || looks % LOOKS_PER_READING == 0) {
            denyWhatIsDue();
        }
        look();
        if (looks++ % LOOKS_PER_PURGE == 0) {
            rows.purge(store.now().minus(settings.getKeep()));
        }
    }

    private void readChanged() {
        var ids = new ArrayList<String>();
        changed.drainTo(ids, BATCH);
        rows.findAll(ids.stream().distinct().toList()).forEach(this::tell);
    }

    private void denyWhatIsDue() {
        // Set before the table is read: a question that is asked meanwhile sets it back.
        open = false;
        var due = rows.due(store.now(), BATCH);
        if (!due.isEmpty() || rows.isAnyOpen()) {
            open = true;
        }
        for (var request : due) {
            boolean late = !request.expiresAt().isAfter(store.now());
            permissions.deny(request, late ? "nobody answered in time" : "the sandbox is no longer running");
        }
    }

    private void look() {
        askers.forEach(Askers::lookAgain);
        if (missed) {
            missed = false;
            seats.lookAtAll();
        } else {
            seats.lookAgain();
        }
    }

    @PreDestroy
    void close() {
        loop.stop();
    }
}
