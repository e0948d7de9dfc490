package io.bivouac.sessions.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.AuditRow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Anybody can have a login refused; nobody can fill the audit that way. */
class RefusalBudgetTest {
    private static final int ROWS = 3;
    private static final int ATTEMPTS = 40;

    @Test
    void aFloodOfBadKeysLeavesAFewRows() {
        try (var relay = TestRelay.start(Map.of("bivouac.refusals-audited", ROWS))) {
            var stranger = relay.http("bvk_not-a-key-of-ours-at-all");
            long before =
                    acts(relay).stream().mapToLong(AuditRow::sequence).max().orElse(0);
            for (int i = 0; i < ATTEMPTS; i++) {
                assertThat(stranger.get("/-/terminal/sessions").status()).isEqualTo(401);
            }
            Wait.until(() -> refused(relay, before).size() >= ROWS);
            // Somebody else's budget is their own, and their row comes after all that the flood could have left.
            assertThat(relay.http()
                            .post("/-/terminal/sessions", Map.of("command", "/tmp/claude"))
                            .status())
                    .isEqualTo(403);
            assertThat(acts(relay)).anySatisfy(row -> assertThat(row.action()).isEqualTo("launch.refused"));
            assertThat(refused(relay, before)).hasSize(ROWS);
            assertThat(relay.bean(Audit.class).firstBroken(relay.caller().project()))
                    .isEmpty();
        }
    }

    @Test
    void aFloodOfSessionsThatNoAclGrantsLeavesAFewRows() throws Exception {
        try (var house = PodHouse.start(Map.of("bivouac.refusals-audited", ROWS))) {
            house.letBobIn("");
            long before =
                    house.acts().stream().mapToLong(AuditRow::sequence).max().orElse(0);
            for (int i = 0; i < ATTEMPTS; i++) {
                var answer = house.guest("mallory").post(PodHouse.SESSIONS, house.session());
                assertThat(answer.status()).isEqualTo(403);
            }
            assertThat(house.acts())
                    .filteredOn(row -> row.sequence() > before && row.action().equals("session.refused"))
                    .hasSize(ROWS);
        }
    }

    private static List<AuditRow> refused(TestRelay relay, long after) {
        return acts(relay).stream()
                .filter(row -> row.action().equals("login.refused"))
                .filter(row -> row.sequence() > after)
                .toList();
    }

    private static List<AuditRow> acts(TestRelay relay) {
        return relay.bean(Audit.class)
                .list(relay.caller().project(), Long.MAX_VALUE, 100)
                .items();
    }
}
