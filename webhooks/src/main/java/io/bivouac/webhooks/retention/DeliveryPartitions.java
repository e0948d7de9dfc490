package io.bivouac.webhooks.retention;

import io.bivouac.webhooks.WebhookSettings;
import io.bivouac.webhooks.delivery.DeliveryId;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Makes and drops the partitions of the deliveries' table. One process at a time does it. Thread-safe. */
@Singleton
public class DeliveryPartitions {
    private static final String PREFIX = "webhook_deliveries_";
    private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;
    private static final int DAYS_AHEAD = 2;

    private final DataSource database;
    private final Duration keep;
    private final Clock clock;

    DeliveryPartitions(DataSource database, WebhookSettings settings, Clock clock) {
        this.database = DelegatingDataSource.unwrapDataSource(database);
        this.keep = settings.getKeep();
        this.clock = clock;
    }

    /** Makes the partitions of yesterday to the day after tomorrow. */
    public void ensure() {
        inTransaction(connection -> {
            var present = present(connection);
            var today = LocalDate.now(clock.withZone(ZoneOffset.UTC));
            for (var day = today.minusDays(1); !day.isAfter(today.plusDays(DAYS_AHEAD)); day = day.plusDays(1)) {
                if (!present.contains(nameOf(day))) {
                    make(connection, day);
                }
            }
        });
    }

    /** Drops the days that are over for longer than deliveries are kept; returns their names. */
    public List<String> dropOld() {
        var dropped = new ArrayList<String>();
        inTransaction(connection -> {
            var oldest = LocalDate.ofInstant(clock.instant().minus(keep), ZoneOffset.UTC);
            for (var name : present(connection)) {
                var day = LocalDate.parse(name.substring(PREFIX.length()), DAY);
                if (day.isBefore(oldest)) {
                    execute(connection, "DROP TABLE " + name);
                    dropped.add(name);
                }
            }
            execute(
                    connection,
                    "DELETE FROM webhook_deliveries_rest WHERE updated_at < now() - interval '" + keep.toSeconds()
                            + " seconds'");
            // What was under way when its endpoint was deleted may have been parked afterwards.
            execute(connection, """
                    UPDATE webhook_deliveries d SET state = 'cancelled', due_at = NULL, envelope = NULL
                    FROM webhook_endpoints e
                    WHERE e.id = d.endpoint_id AND e.deleted_at IS NOT NULL AND d.state = 'waiting'""");
        });
        return dropped;
    }

    /** With what came while nobody had made the day: left in the rest it would forbid the day for good. */
    private static void make(Connection connection, LocalDate day) throws SQLException {
        var name = nameOf(day);
        var from = firstOf(day);
        var to = firstOf(day.plusDays(1));
        execute(connection, "LOCK TABLE webhook_deliveries_rest IN ACCESS EXCLUSIVE MODE");
        execute(
                connection,
                "CREATE TABLE %s (LIKE webhook_deliveries INCLUDING DEFAULTS INCLUDING CONSTRAINTS)".formatted(name));
        execute(connection, """
                WITH moved AS (DELETE FROM webhook_deliveries_rest WHERE id >= '%s' AND id < '%s' RETURNING *)
                INSERT INTO %s SELECT * FROM moved""".formatted(from, to, name));
        execute(
                connection,
                "ALTER TABLE webhook_deliveries ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')"
                        .formatted(name, from, to));
    }

    private static List<String> present(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("""
                        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                        WHERE i.inhparent = 'webhook_deliveries'::regclass AND c.relname ~ '_[0-9]{8}$'""");
                var rows = statement.executeQuery()) {
            var names = new ArrayList<String>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        }
    }

    private interface Work {
        void run(Connection connection) throws SQLException;
    }

    private void inTransaction(Work work) {
        try (var connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                execute(connection, "SELECT pg_advisory_xact_lock(hashtextextended('bivouac/webhook-partitions', 0))");
                // Whoever waits for a whole table makes everybody behind him wait.
                execute(connection, "SET LOCAL lock_timeout = '3s'");
                work.run(connection);
                connection.commit();
            } catch (SQLException failed) {
                connection.rollback();
                throw failed;
            }
        } catch (SQLException failed) {
            throw new IllegalStateException("cannot prepare the days of deliveries: " + failed.getMessage(), failed);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String nameOf(LocalDate day) {
        return PREFIX + DAY.format(day);
    }

    private static String firstOf(LocalDate day) {
        return DeliveryId.first(day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli());
    }
}
