package io.bivouac.agentlink;

import io.bivouac.foundation.database.AdvisoryLock;
import io.bivouac.foundation.database.DatabaseSettings;
import io.grpc.Status;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the connections every second: what waits too long is given up. Tells other processes that this
 * relay is up and, in whichever process holds the lock, finds sandboxes whose agent is connected nowhere.
 */
@Singleton
class AgentWatch {
    private static final Logger LOG = LoggerFactory.getLogger(AgentWatch.class);
    private static final long TICK_MILLIS = 1_000;
    private static final int TICKS_PER_SIGN_OF_LIFE = 2;
    private static final int TICKS_PER_FORGETTING = 3_600;

    private final AgentConnections connections;
    private final Registration registration;
    private final ConnectionRecords records;
    private final AgentSettings settings;
    private final AdvisoryLock lock;
    private final Thread thread =
            Thread.ofPlatform().name("agent-watch").daemon().unstarted(this::run);
    private volatile @Nullable String address;
    private volatile @Nullable String agentAddress;
    private volatile boolean closed;

    AgentWatch(
            AgentConnections connections,
            Registration registration,
            ConnectionRecords records,
            AgentSettings settings,
            DatabaseSettings database) {
        this.connections = connections;
        this.registration = registration;
        this.records = records;
        this.settings = settings;
        this.lock = new AdvisoryLock(database.parsed(), "lost-agents");
    }

    /** @param byTls where agents and other relays reach this one by TLS; null when they cannot */
    void start(@Nullable String httpAddress, @Nullable String byTls) {
        address = httpAddress;
        agentAddress = byTls;
        records.relayIsUp(httpAddress, byTls);
        thread.start();
    }

    private void run() {
        // Agents get their time to come back from now on, however long all relays were down.
        long searchFrom = System.nanoTime() + settings.getReturnTimeout().toNanos();
        for (long tick = 1; !closed; tick++) {
            try {
                Thread.sleep(TICK_MILLIS);
                look(System.nanoTime());
                if (tick % TICKS_PER_SIGN_OF_LIFE == 0) {
                    records.relayIsUp(address, agentAddress);
                    if (System.nanoTime() - searchFrom > 0 && lock.holds()) {
                        search();
                    }
                }
                if (tick % TICKS_PER_FORGETTING == 0) {
                    records.forgetOldRelays();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            } catch (SQLException | RuntimeException failed) {
                if (!closed) {
                    LOG.warn("Looking after the agents failed, trying again: {}", failed.getMessage());
                }
            }
        }
    }

    private void look(long now) {
        registration.tick(now);
        connections.tickRemote(now);
        for (var connection : connections.all()) {
            connection.tick(now);
            if (connection.silentFor(now).compareTo(settings.getHeartbeatTimeout()) > 0) {
                var why = "no heartbeat for " + settings.getHeartbeatTimeout().toSeconds() + " s";
                LOG.warn("{}: {}", connection.sandbox(), why);
                connection.close(Status.DEADLINE_EXCEEDED.withDescription(why));
                records.lost(connection.sandbox(), why);
                registration.metrics().lost();
            }
        }
    }

    private void search() {
        for (var id : records.lostFor(settings.getReturnTimeout())) {
            LOG.warn("{}: its agent did not come back", id);
            records.lost(id, "its connection broke and did not come back within " + inWords(settings));
            registration.metrics().lost();
        }
    }

    private static String inWords(AgentSettings settings) {
        Duration time = settings.getReturnTimeout();
        return time.toSeconds() + " s";
    }

    void stop() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(TICK_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        lock.close();
    }
}
