package io.bivouac.launcher.doctor;

import io.bivouac.sandboxmodel.runtime.Check;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/** This machine's clock beside the database's: expiries, leases and signatures compare times of both. */
public final class Clocks {
    /** A relay counts as up for 10 s after its last sign; half of that may be a clock's fault. */
    static final Duration MOST_APART = Duration.ofSeconds(5);

    private static final Instant LEAST_PRESENT = Instant.parse("2026-01-01T00:00:00Z");

    private Clocks() {}

    /** Compares by asking the database once. */
    public static Check compare(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            var asked = Instant.now();
            try (var row = statement.executeQuery("SELECT clock_timestamp()")) {
                row.next();
                var theirs = row.getObject(1, OffsetDateTime.class).toInstant();
                var half = Duration.between(asked, Instant.now()).dividedBy(2);
                return compare(asked.plus(half), theirs);
            }
        }
    }

    static Check compare(Instant ours, Instant theirs) {
        var apart = Duration.between(ours, theirs).abs();
        var seen = "%s; PostgreSQL's is %d ms apart".formatted(ours, apart.toMillis());
        return apart.compareTo(MOST_APART) <= 0
                ? alone(ours, seen)
                : Check.wrong(
                        "clock",
                        seen,
                        "Sandboxes and sessions end early or late, and servers take each other for dead.",
                        "timedatectl set-ntp true, here and on the database's machine");
    }

    /** Where the database is our own child, with the same clock. */
    public static Check alone() {
        return alone(Instant.now(), Instant.now() + "; the embedded PostgreSQL has the same");
    }

    private static Check alone(Instant ours, String seen) {
        return ours.isAfter(LEAST_PRESENT)
                ? Check.fine("clock", seen)
                : Check.wrong(
                        "clock", seen, "Certificates and tokens count as not yet valid.", "timedatectl set-ntp true");
    }
}
