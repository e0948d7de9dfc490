package io.bivouac.agentlink;

import io.bivouac.foundation.database.AdvisoryLock;
import io.bivouac.foundation.database.DatabaseSettings;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
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
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int TICKS_PER_SIGN_OF_LIFE = 2;
    private static final int TICKS_PER_FORGETTING = 3_600;

    private final AgentConnections connections;
    private final Registration registration;
    private final ConnectionRecords records;
    private final AgentSettings settings;
    private final AdvisoryLock lock;
    private final Loop loop = new Loop(
            "agent-watch",
            this::tick,
            TICK,
            new Outage(LOG, "Looking after the agents failed", "The agents are looked after again"));
    private volatile @Nullable String address;
    private volatile @Nullable String agentAddress;
    private volatile long searchFrom;
    private volatile boolean relay;
    private long ticks;

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
        relay = true;
        address = httpAddress;
        agentAddress = byTls;
        records.relayIsUp(httpAddress, byTls);
        // Agents get their time to come back from now on, however long all relays were down.
        searchFrom = System.nanoTime() + settings.getReturnTimeout().toNanos();
        loop.startAfter(TICK);
    }

    /** For a process that agents do not come to: what is looked after is its calls to other relays. */
    void startWithoutAgents() {
        loop.startAfter(TICK);
    }

    private Duration tick() throws SQLException {
        ticks++;
        look(System.nanoTime());
        if (relay && ticks % TICKS_PER_SIGN_OF_LIFE == 0) {
            records.relayIsUp(address, agentAddress);
            if (System.nanoTime() - searchFrom > 0 && lock.holds()) {
                search();
            }
        }
        if (relay && ticks % TICKS_PER_FORGETTING == 0) {
            records.forgetOldRelays();
        }
        return TICK;
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
        loop.stop();
        lock.close();
    }
}
