package io.bivouac.foundation.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.House;
import io.bivouac.foundation.fixture.TestStack;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AuditTest {
    private final Audit audit = House.get(Audit.class);
    private final String project = House.newProject().project();

    @Test
    void rowsFormAChainAlsoWhenManyWriteAtOnce() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writes = threads.invokeAll(IntStream.range(0, 30)
                    .mapToObj(i -> Executors.callable(() -> audit.append(project, "me", "test", "s" + i, "d")))
                    .toList());
            for (var write : writes) {
                write.get();
            }
        }
        assertThat(audit.list(project, Long.MAX_VALUE, 100).items()).hasSize(30);
        assertThat(audit.firstBroken(project)).isEmpty();
    }

    @Test
    void aChangedRowBreaksTheChain() throws Exception {
        for (int i = 0; i < 5; i++) {
            audit.append(project, "me", "test", "s" + i, "d");
        }
        asSuperuser("UPDATE audit SET detail = 'forged' WHERE sequence = 3 AND project_id = '" + project + "'");
        assertThat(audit.firstBroken(project)).hasValue(3);
    }

    @Test
    void aRemovedRowBreaksTheChain() throws Exception {
        for (int i = 0; i < 5; i++) {
            audit.append(project, "me", "test", "s" + i, "d");
        }
        asSuperuser("DELETE FROM audit WHERE sequence = 2 AND project_id = '" + project + "'");
        assertThat(audit.firstBroken(project)).hasValue(2);
    }

    /** A chain without its newest rows fits together; the log of its newest hashes does not fit it. */
    @Test
    void theNewestHashesAreToldBesideTheTable() {
        audit.append(project, "me", "test", "s", "d");
        audit.append(project, "me", "test", "s", "d");
        var newest = audit.list(project, Long.MAX_VALUE, 1).items().getFirst();
        var told = new ListAppender<ILoggingEvent>();
        told.start();
        var logger = (Logger) LoggerFactory.getLogger(AuditHeads.class);
        logger.addAppender(told);
        logger.setLevel(Level.INFO);
        try (var other = House.open(Map.of("bivouac.audit-heads-every", "50ms"))) {
            var expected = "Audit of " + project + ": row 2 has the hash "
                    + HexFormat.of().formatHex(newest.hash());
            Eventually.that(
                    "the newest hash to be told",
                    () -> List.copyOf(told.list).stream()
                            .anyMatch(event -> event.getFormattedMessage().equals(expected)));
        } finally {
            logger.setLevel(null);
            logger.detachAppender(told);
        }
    }

    @Test
    void theDatabaseRefusesToChangeRows() {
        audit.append(project, "me", "test", "s", "d");
        assertThatThrownBy(() -> execute("UPDATE audit SET detail = 'forged'")).hasMessageContaining("never changed");
        assertThatThrownBy(() -> execute("DELETE FROM audit")).hasMessageContaining("never changed");
        assertThatThrownBy(() -> execute("TRUNCATE audit")).hasMessageContaining("never changed");
    }

    private static void execute(String... statements) throws SQLException {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static void asSuperuser(String forgery) throws SQLException {
        execute("ALTER TABLE audit DISABLE TRIGGER audit_append_only", forgery, "ALTER TABLE audit ENABLE TRIGGER ALL");
    }
}
