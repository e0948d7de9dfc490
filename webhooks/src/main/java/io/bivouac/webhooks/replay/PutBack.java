package io.bivouac.webhooks.replay;

import io.bivouac.webhooks.delivery.DeliveryId;
import io.bivouac.webhooks.endpoint.Endpoint;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** Makes deliveries wait to be sent at once, whether they have a row already or not. */
final class PutBack {
    private static final String SQL = """
            INSERT INTO webhook_deliveries AS d (id, project_id, endpoint_id, event_id, type, subject, state, attempts,
                due_at, envelope, log, replays, created_at, updated_at)
            SELECT u.id, ?, ?, u.event, u.type, u.subject, 'waiting', 0, now(), u.envelope, '[]', 1, now(), now()
            FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[]) AS u(id, event, type, subject, envelope)
            ON CONFLICT (id) DO UPDATE SET state = 'waiting', attempts = 0, due_at = now(),
                envelope = excluded.envelope, replays = d.replays + 1, updated_at = now()""";

    private PutBack() {}

    static void events(Connection connection, Endpoint endpoint, List<KeptEvent> events) throws SQLException {
        try (var statement = connection.prepareStatement(SQL)) {
            statement.setString(1, endpoint.project());
            statement.setString(2, endpoint.id());
            statement.setArray(3, texts(connection, events, event -> DeliveryId.of(endpoint.id(), event.id())));
            statement.setArray(4, texts(connection, events, KeptEvent::id));
            statement.setArray(5, texts(connection, events, KeptEvent::type));
            statement.setArray(6, texts(connection, events, KeptEvent::subject));
            statement.setArray(7, texts(connection, events, KeptEvent::envelope));
            statement.executeUpdate();
        }
    }

    private static Array texts(Connection connection, List<KeptEvent> events, Function<KeptEvent, String> column)
            throws SQLException {
        return connection.createArrayOf("text", events.stream().map(column).toArray());
    }
}
