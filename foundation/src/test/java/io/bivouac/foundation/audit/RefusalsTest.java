package io.bivouac.foundation.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.House;
import io.bivouac.foundation.fixture.TestStack;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private static final int ROWS = 2;
    private static final int POOL = 10 * ROWS;

    private final Audit audit = House.get(Audit.class);
    private final Caller admin = House.newProject();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Refusals refusals = new Refusals(audit, clock(), ROWS);

    private Clock clock() {
        InstantSource source = () -> now;
        return source.withZone(ZoneOffset.UTC);
    }

    @Test
    void webIdsWithoutEndOfOneSiteHaveOneActorsRows() {
        for (int i = 0; i < 3 * POOL; i++) {
            refuse(refusals.visitor("https://n" + i + ".evil.example/" + i + "#me"));
        }
        assertThat(rows()).hasSize(ROWS);
    }

    @Test
    void strangersUseUpNobodyElsesRows() {
        var guest = "https://guest.example/#me";
        refusals.admitted(guest);
        for (int i = 0; i < 3 * POOL; i++) {
            refuse(refusals.visitor("https://evil" + i + ".example" + i + "/#me"));
        }
        assertThat(rows()).hasSize(POOL);
        refuse(refusals.visitor(guest));
        refuse(RefusedActor.member("key_one", admin.project()));
        refuse(RefusedActor.nobody());
        assertThat(rows().subList(0, 3)).extracting(AuditRow::actor).containsExactly("nobody", "key_one", guest);
    }

    @Test
    void whatThePoolLeftOutIsCountedInItsNextRow() {
        for (int i = 0; i < POOL + 7; i++) {
            refuse(RefusedActor.member("key_" + i, admin.project()));
        }
        now = now.plus(Duration.ofMinutes(2));
        refuse(RefusedActor.member("key_1", admin.project()));
        assertThat(rows().getFirst().detail()).contains("(7 refusals before this one have no row)");
    }

    @Test
    void anActorsOwnCountOutlivesAPoolThatIsSpent() {
        var busy = RefusedActor.member("key_busy", admin.project());
        for (int i = 0; i < ROWS + 3; i++) {
            refuse(busy);
        }
        now = now.plus(Duration.ofMinutes(2));
        for (int i = 0; i < POOL; i++) {
            refuse(RefusedActor.member("key_" + i, admin.project()));
        }
        refuse(busy);
        now = now.plus(Duration.ofMinutes(2));
        refuse(busy);
        assertThat(rows().getFirst().detail()).contains("(4 refusals before this one have no row)");
    }

    @Test
    void aBurstThatWaitsForItsChainLeavesConnectionsToOthers() throws Exception {
        var many = new Refusals(audit, clock(), 3 * POOL);
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var other = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(
                    "SELECT pg_advisory_xact_lock(hashtextextended('bivouac/audit/" + admin.project() + "', 0))");
            for (int i = 0; i < 3 * POOL; i++) {
                many.note(admin::project, RefusedActor.nobody(), "request.refused", "GET /", "no");
            }
            Eventually.that("rows wait for the lock", () -> waiting(url) > 0);
            // Each asks for a connection, and is told after 3 s that there is none.
            for (int i = 0; i < POOL; i++) {
                assertThat(audit.list(House.newProject().project(), Long.MAX_VALUE, 1)
                                .items())
                        .isNotNull();
            }
        }
        Eventually.that("all rows", () -> rows().size() == 3 * POOL);
    }

    private static int waiting(DatabaseUrl url) {
        try (var other = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = other.createStatement();
                var rows = statement.executeQuery(
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void refuse(RefusedActor actor) {
        refusals.write(admin.project(), actor, "request.refused", "GET /", "no");
    }

    private List<AuditRow> rows() {
        return audit.list(admin.project(), Long.MAX_VALUE, 100).items().stream()
                .filter(row -> row.action().equals("request.refused"))
                .toList();
    }
}
