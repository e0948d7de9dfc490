package io.bivouac.webhooks.parking;

import io.bivouac.webhooks.WebhookSettings;
import io.bivouac.webhooks.delivery.Delivery;
import io.bivouac.webhooks.delivery.Delivery.Claim;
import io.bivouac.webhooks.delivery.EventMessage;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.lane.Lane;
import io.bivouac.webhooks.lane.Lane.Choice;
import io.bivouac.webhooks.lane.Lane.Places;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Takes parked deliveries for a while: until its claim ends, nobody else sends them; if the claimer dies they are due
 * again by themselves. Thread-safe.
 */
@Singleton
class Claims {
    private static final String RETURNED =
            "d.id, d.project_id, d.endpoint_id, d.event_id, d.type, d.subject, d.attempts, d.envelope, d.position, d.replays";

    /** For many endpoints at once, each by its own number of places; rows that another claims are passed over. */
    private static final String ANY_ORDER = """
            UPDATE webhook_deliveries d SET due_at = now() + ? * interval '1 millisecond'
            FROM unnest(?::text[], ?::integer[]) AS want(endpoint, places)
            CROSS JOIN LATERAL (
                SELECT id FROM webhook_deliveries
                WHERE endpoint_id = want.endpoint AND state = 'waiting' AND due_at <= now()
                ORDER BY due_at, position LIMIT want.places FOR UPDATE SKIP LOCKED) AS due
            WHERE d.id = due.id
            RETURNING\s""" + RETURNED;

    /** Said in the index's own words: what waits untried is not even looked at. */
    private static final String RETRIES = ANY_ORDER.replace("due_at <= now()", "due_at <= now() AND attempts > 0");

    private static final String LATEST_FIRST =
            ANY_ORDER.replace("ORDER BY due_at, position", "ORDER BY due_at DESC, position DESC");

    /** One process at a time looks for the first in line: a second one would take the second for the first. */
    private static final String GATE = "SELECT 1 FROM webhook_endpoints WHERE id = ? FOR NO KEY UPDATE SKIP LOCKED";

    /** The first in line and those behind it, unless the first must wait or is claimed. */
    private static final String IN_ORDER = """
            UPDATE webhook_deliveries d SET due_at = now() + ? * interval '1 millisecond'
            FROM (SELECT id, first_value(due_at) OVER (ORDER BY position) AS first_due,
                    first_value(attempts) OVER (ORDER BY position) AS first_attempts
                FROM webhook_deliveries WHERE endpoint_id = ? AND state = 'waiting' ORDER BY position LIMIT ?) AS run
            WHERE d.id = run.id AND run.first_due <= now() AND run.first_attempts >= ?
            RETURNING\s""" + RETURNED;

    private static final String NEXT = """
            SELECT CAST(ceil(extract(epoch FROM min(due_at) - now()) * 1000) AS bigint)
            FROM unnest(?::text[]) AS want(endpoint)
            CROSS JOIN LATERAL (
                SELECT due_at FROM webhook_deliveries
                WHERE endpoint_id = want.endpoint AND state = 'waiting' ORDER BY due_at LIMIT 1) AS first""";

    private final DataSource database;
    private final long leaseMillis;

    Claims(DataSource database, WebhookSettings settings) {
        this.database = DelegatingDataSource.unwrapDataSource(database);
        this.leaseMillis = settings.getLease().toMillis();
    }

    /** Fills the lanes; returns how many deliveries were claimed. */
    int fill(Map<Lane, Places> lanes) throws SQLException {
        var anyOrder = new EnumMap<Choice, Map<Lane, Places>>(Choice.class);
        int claimed = 0;
        try (var connection = database.getConnection()) {
            for (var entry : lanes.entrySet()) {
                if (entry.getKey().endpoint().manner().fifo()) {
                    claimed += inOrder(connection, entry.getKey(), entry.getValue());
                } else {
                    anyOrder.computeIfAbsent(entry.getValue().choice(), _ -> new LinkedHashMap<>())
                            .put(entry.getKey(), entry.getValue());
                }
            }
            for (var group : anyOrder.entrySet()) {
                claimed += anyOrder(connection, sql(group.getKey()), group.getValue());
            }
            return claimed;
        }
    }

    /** Milliseconds until the first of these endpoints' deliveries is due, or its claim ends; negative when it is. */
    long millisToNext(List<String> endpoints) throws SQLException {
        if (endpoints.isEmpty()) {
            return Long.MAX_VALUE;
        }
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(NEXT)) {
            connection.setAutoCommit(true);
            statement.setArray(1, connection.createArrayOf("text", endpoints.toArray()));
            try (var rows = statement.executeQuery()) {
                return rows.next() && rows.getObject(1) instanceof Long millis ? millis : Long.MAX_VALUE;
            }
        }
    }

    private static String sql(Choice choice) {
        return switch (choice) {
            case ANY -> ANY_ORDER;
            case RETRIES -> RETRIES;
            case LATEST -> LATEST_FIRST;
        };
    }

    private int anyOrder(Connection connection, String sql, Map<Lane, Places> lanes) throws SQLException {
        connection.setAutoCommit(true);
        try (var statement = connection.prepareStatement(sql)) {
            statement.setLong(1, leaseMillis);
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "text",
                            lanes.keySet().stream()
                                    .map(lane -> lane.endpoint().id())
                                    .toArray()));
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "integer",
                            lanes.values().stream().map(Places::count).toArray()));
            var byEndpoint = new HashMap<String, Lane>();
            lanes.keySet().forEach(lane -> byEndpoint.put(lane.endpoint().id(), lane));
            return hand(statement, byEndpoint);
        }
    }

    private int inOrder(Connection connection, Lane lane, Places places) throws SQLException {
        connection.setAutoCommit(false);
        try (var gate = connection.prepareStatement(GATE);
                var statement = connection.prepareStatement(IN_ORDER)) {
            gate.setString(1, lane.endpoint().id());
            try (var open = gate.executeQuery()) {
                if (!open.next()) {
                    return 0;
                }
            }
            statement.setLong(1, leaseMillis);
            statement.setString(2, lane.endpoint().id());
            statement.setInt(3, places.count());
            statement.setInt(4, places.choice() == Choice.RETRIES ? 1 : 0);
            return hand(statement, Map.of(lane.endpoint().id(), lane));
        } finally {
            connection.commit();
        }
    }

    private static int hand(PreparedStatement statement, Map<String, Lane> lanes) throws SQLException {
        var claimed = new HashMap<Lane, List<Claimed>>();
        int count = 0;
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                var lane = lanes.get(rows.getString("endpoint_id"));
                claimed.computeIfAbsent(lane, _ -> new ArrayList<>())
                        .add(new Claimed(rows.getLong("position"), delivery(lane.endpoint(), rows)));
                count++;
            }
        }
        claimed.forEach((lane, deliveries) -> {
            deliveries.sort(Comparator.comparingLong(Claimed::position));
            lane.take(deliveries.stream().map(Claimed::delivery).toList());
        });
        return count;
    }

    private record Claimed(long position, Delivery delivery) {}

    private static Delivery delivery(Endpoint endpoint, ResultSet row) throws SQLException {
        var event = new EventMessage(
                row.getString("event_id"),
                row.getString("type"),
                row.getString("project_id"),
                row.getString("subject"),
                row.getString("envelope").getBytes(StandardCharsets.UTF_8));
        return Delivery.claimed(
                row.getString("id"), endpoint, event, new Claim(row.getInt("attempts"), row.getInt("replays")));
    }
}
