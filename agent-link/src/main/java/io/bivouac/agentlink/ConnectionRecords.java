package io.bivouac.agentlink;

import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.transition.Happening.AgentDisconnected;
import io.bivouac.sandboxmodel.transition.Happening.AgentLost;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the database knows about agents' connections. Thread-safe. */
@Singleton
class ConnectionRecords {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionRecords.class);

    /** A relay says every few seconds that it is up; one that missed several times is not. */
    static final Duration RELAY_IS_UP = Duration.ofSeconds(10);

    private static final Duration RELAY_FORGOTTEN = Duration.ofDays(1);
    private static final int BATCH = 200;

    private final RelayId relay;
    private final ConnectionRows rows;
    private final SandboxStore store;
    private final TransactionOperations<Connection> transactions;

    ConnectionRecords(
            RelayId relay, ConnectionRows rows, SandboxStore store, TransactionOperations<Connection> transactions) {
        this.relay = relay;
        this.rows = rows;
        this.store = store;
        this.transactions = transactions;
    }

    /** A connection as it was stored, and its sandbox since then. */
    record Entry(long epoch, Sandbox sandbox) {}

    /** Stores that the agent is here and what follows for its sandbox, in one transaction. */
    Entry connected(SandboxId id, String version, byte[] secretsKey) {
        return transactions.executeWrite(_ -> {
            var sandbox = store.on(id, new AgentRegistered(version));
            var now = store.now();
            var epoch = rows.connected(id.value(), relay.value(), secretsKey, now, now.minus(RELAY_IS_UP));
            if (epoch == null) {
                throw Registration.heldElsewhere();
            }
            return new Entry(epoch, sandbox);
        });
    }

    void disconnected(AgentConnection connection) {
        try {
            transactions.executeWrite(transaction -> {
                // The sandbox's row first, in the order of a registration.
                tellDisconnected(connection.sandbox());
                int changed =
                        rows.disconnected(connection.sandbox().value(), relay.value(), connection.epoch(), store.now());
                if (changed == 0) {
                    // A newer connection has its place: this one's end is no news.
                    transaction.setRollbackOnly();
                }
                return changed;
            });
        } catch (RuntimeException notStored) {
            // The relay's own end is seen by its silence; this one only by the next registration.
            LOG.warn("{}: could not store that its agent left: {}", connection.sandbox(), notStored.getMessage());
        }
    }

    private void tellDisconnected(SandboxId id) {
        try {
            store.on(id, new AgentDisconnected("its connection ended"));
        } catch (BivouacException forgotten) {
            LOG.debug("{}: {}", id, forgotten.getMessage());
        }
    }

    void lost(SandboxId id, String why) {
        try {
            store.on(id, new AgentLost(why));
        } catch (BivouacException overtaken) {
            LOG.debug("{}: {}", id, overtaken.getMessage());
        }
    }

    /** Running sandboxes whose agent has been connected nowhere for so long. */
    List<SandboxId> lostFor(Duration time) {
        return rows.lost(store.now().minus(time), BATCH).stream()
                .map(SandboxId::new)
                .toList();
    }

    /** The other relay that holds the agent's connection, if one that is up does. */
    Optional<ConnectionRow> holder(SandboxId id) {
        return rows.holder(id.value(), relay.value(), store.now().minus(RELAY_IS_UP));
    }

    void relayIsUp(@Nullable String address, @Nullable String agentAddress) {
        rows.seen(relay.value(), address, agentAddress, store.now());
    }

    void relayStops() {
        rows.allDisconnected(relay.value(), store.now());
        rows.gone(relay.value());
    }

    void forgetOldRelays() {
        rows.forgetRelays(store.now().minus(RELAY_FORGOTTEN));
    }
}
