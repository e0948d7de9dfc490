package io.bivouac.webhooks.replay;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.webhooks.delivery.DeliveryId;
import io.bivouac.webhooks.delivery.DeliveryRows;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Puts deliveries back among those that wait. All of a request's or none. Thread-safe. */
@Singleton
class Replays {
    static final int MOST = 100_000;
    private static final int PAGE = 500;

    private final DeliveryRows rows;
    private final Audit audit;
    private final TransactionOperations<Connection> transactions;

    Replays(DeliveryRows rows, Audit audit, TransactionOperations<Connection> transactions) {
        this.rows = rows;
        this.audit = audit;
        this.transactions = transactions;
    }

    int dead(Endpoint endpoint, Instant since, Instant until, Caller caller) {
        return transactions.executeWrite(_ -> {
            int count = rows.redrive(
                    endpoint.id(), DeliveryId.first(since.toEpochMilli()), DeliveryId.first(until.toEpochMilli()));
            finish(endpoint, caller, count);
            return count;
        });
    }

    int all(Endpoint endpoint, Instant since, Instant until, Caller caller) {
        return transactions.executeWrite(status -> {
            int count = 0;
            try {
                long position = 0;
                for (var page = page(status.getConnection(), endpoint, since, until, position);
                        !page.isEmpty();
                        page = page(status.getConnection(), endpoint, since, until, position)) {
                    position = page.getLast().position();
                    var wanted = page.stream()
                            .filter(event -> endpoint.wants(event.type(), event.subject()))
                            .toList();
                    count += wanted.size();
                    checkCount(count);
                    PutBack.events(status.getConnection(), endpoint, wanted);
                }
            } catch (SQLException failed) {
                throw new IllegalStateException("cannot replay: " + failed.getMessage(), failed);
            }
            finish(endpoint, caller, count);
            return count;
        });
    }

    private static void checkCount(int count) {
        if (count > MOST) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST,
                    "There are more than " + MOST + " events in this span of time; choose a shorter one.");
        }
    }

    private void finish(Endpoint endpoint, Caller caller, int count) {
        rows.ask(endpoint.id());
        audit.append(caller.project(), caller.id(), "webhook.replayed", endpoint.id(), count + " deliveries");
    }

    private static List<KeptEvent> page(
            Connection connection, Endpoint endpoint, Instant since, Instant until, long after) throws SQLException {
        try (var statement = connection.prepareStatement("""
                SELECT position, id, type, subject, envelope FROM events
                WHERE project_id = ? AND occurred_at >= ? AND occurred_at < ? AND position > ?
                ORDER BY position LIMIT ?""")) {
            statement.setString(1, endpoint.project());
            statement.setObject(2, OffsetDateTime.ofInstant(since, ZoneOffset.UTC));
            statement.setObject(3, OffsetDateTime.ofInstant(until, ZoneOffset.UTC));
            statement.setLong(4, after);
            statement.setInt(5, PAGE);
            var events = new ArrayList<KeptEvent>();
            try (var row = statement.executeQuery()) {
                while (row.next()) {
                    events.add(new KeptEvent(
                            row.getLong(1), row.getString(2), row.getString(3), row.getString(4), row.getString(5)));
                }
            }
            return events;
        }
    }
}
