package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two installations on one machine know nothing of each other. */
class TwoServersTest {
    private static final Map<String, String> SETTINGS = Map.of("BIVOUAC_LIFECYCLE_RECONCILE_EVERY", "1s");

    @Test
    void neitherTouchesTheOthersSandboxes() throws Exception {
        try (var one = CrashSite.open(SETTINGS);
                var other = CrashSite.open(SETTINGS)) {
            var ours = CountingCommand.start(one.api());
            var theirs = CountingCommand.start(other.api());
            var agent = one.traces().process(ours.sandbox(), "init.pid");

            other.kill();
            other.start();
            Api.expect(200, one.api().send("POST", "/api/v1/gc", ""));
            Api.expect(200, other.api().send("POST", "/api/v1/gc", ""));
            theirs.goesOn(other.api());
            ours.goesOn(one.api());
            assertThat(one.api().sandboxes()).containsOnlyKeys(ours.sandbox());
            assertThat(other.api().sandboxes()).containsOnlyKeys(theirs.sandbox());

            Api.expect(204, other.api().delete(theirs.sandbox()));
            other.server().terminate();
            assertThat(other.server().awaitExit()).isEqualTo(143); // 128 + TERM
            assertThat(Agreement.remains(other.traces()))
                    .as("of the one that stopped")
                    .isEmpty();
            assertThat(one.traces().process(ours.sandbox(), "init.pid"))
                    .as("the agent of the one that goes on")
                    .isPresent()
                    .isEqualTo(agent);
            ours.goesOn(one.api());
            assertThat(Agreement.faults(one)).isEmpty();
        }
    }
}
