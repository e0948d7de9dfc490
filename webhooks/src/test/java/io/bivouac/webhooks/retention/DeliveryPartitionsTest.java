package io.bivouac.webhooks.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxes.database.DatabaseUrl;
import io.bivouac.sandboxes.fixture.TestStack;
import io.bivouac.webhooks.WebhookSettings;
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
