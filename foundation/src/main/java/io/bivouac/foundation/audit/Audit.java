package io.bivouac.foundation.audit;

import io.bivouac.foundation.paging.Page;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.sql.Connection;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;

/** Writes and checks the audit. Thread-safe. */
@Singleton
public class Audit {
    private static final int VERIFY_BATCH = 1_000;
    private static final int LONGEST = 4_096;

    private final AuditRows rows;
    private final TransactionOperations<Connection> transactions;
    private final Clock clock;

    Audit(AuditRows rows, TransactionOperations<Connection> transactions, Clock clock) {
        this.rows = rows;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Adds a row, in the transaction of the act if there is one. */
    public void append(String project, String actor, String action, String subject, String detail) {
        var at = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var act = new AuditedAct(project, at, storable(actor), action, storable(subject), storable(detail));
        transactions.executeWrite(transaction -> {
            ChainStatement.append(transaction.getConnection(), act);
            return null;
        });
    }

    /** What callers wrote may be among it: as long as they liked, with a character that no text in the database has. */
    private static String storable(String text) {
        var cut = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
        return cut.replace('\0', '\uFFFD');
    }

    /** The newest rows first, before a sequence number. */
    public Page<AuditRow> list(String project, long before, int limit) {
        return Page.of(
                rows.page(project, before, limit + 1),
                limit,
                row -> Long.toString(row.sequence()),
                row -> Page.utf8(row.actor(), row.subject(), row.detail()));
    }

    /** The first row that does not fit the chain, if any. */
    public OptionalLong firstBroken(String project) {
        var previous = AuditRow.BEGINNING;
        long sequence = 0;
        while (true) {
            var batch = rows.after(project, sequence, VERIFY_BATCH);
            for (var row : batch) {
                sequence++;
                if (row.sequence() != sequence || !MessageDigest.isEqual(row.previous(), previous) || !row.isIntact()) {
                    return OptionalLong.of(sequence);
                }
                previous = row.hash();
            }
            if (batch.size() < VERIFY_BATCH) {
                return OptionalLong.empty();
            }
        }
    }
}
