package io.bivouac.webhooks.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.webhooks.WebhookSettings;
import io.bivouac.webhooks.delivery.DeliveryId;
import io.bivouac.webhooks.fixture.Messenger;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class DeliveryPartitionsTest {
    private final DataSource database = Messenger.shared().bean(DataSource.class);

    @Test
    void daysAreMadeAheadAndDroppedWhenTheyAreOld() throws SQLException {
        var longAgo = Clock.offset(Clock.systemUTC(), Duration.ofDays(-100));
        var day = LocalDate.now(longAgo.withZone(ZoneOffset.UTC));
        new DeliveryPartitions(database, new WebhookSettings(), longAgo).ensure();
        assertThat(exists(DeliveryPartitions.nameOf(day.minusDays(1)))).isTrue();
        assertThat(exists(DeliveryPartitions.nameOf(day.plusDays(2)))).isTrue();
        var now = new DeliveryPartitions(database, new WebhookSettings(), Clock.systemUTC());
        now.ensure();
        now.ensure();
        assertThat(now.dropOld()).contains(DeliveryPartitions.nameOf(day));
        assertThat(exists(DeliveryPartitions.nameOf(day))).isFalse();
        assertThat(exists(DeliveryPartitions.nameOf(LocalDate.now(ZoneOffset.UTC))))
                .isTrue();
    }

    @Test
    void whatCameBeforeItsDayWasMadeMovesThere() throws SQLException {
        var longAgo = Clock.offset(Clock.systemUTC(), Duration.ofDays(-200));
        var id = DeliveryId.first(longAgo.millis());
        execute("""
                INSERT INTO webhook_deliveries (id, project_id, endpoint_id, event_id, type, subject, state, attempts,
                    log, created_at, updated_at)
                VALUES ('%s', 'p', 'e', 'e', 't', 's', 'dead', 1, '[]', now(), now())""".formatted(id));
        assertThat(tableOf(id)).isEqualTo("webhook_deliveries_rest");
        new DeliveryPartitions(database, new WebhookSettings(), longAgo).ensure();
        assertThat(tableOf(id)).isEqualTo(DeliveryPartitions.nameOf(LocalDate.now(longAgo.withZone(ZoneOffset.UTC))));
        execute("UPDATE webhook_deliveries SET attempts = 2 WHERE id = '" + id + "'");
        new DeliveryPartitions(database, new WebhookSettings(), Clock.systemUTC()).dropOld();
        assertThat(tableOf(id)).isNull();
    }

    private static void execute(String sql) throws SQLException {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isEqualTo(1);
        }
    }

    /** Null when there is no such delivery. */
    private static String tableOf(String id) throws SQLException {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.prepareStatement(
                        "SELECT tableoid::regclass::text FROM webhook_deliveries WHERE id = ?")) {
            statement.setString(1, id);
            try (var row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    private static boolean exists(String table) throws SQLException {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
            statement.setString(1, table);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }
}
