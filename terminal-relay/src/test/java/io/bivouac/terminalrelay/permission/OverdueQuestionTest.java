package io.bivouac.terminalrelay.permission;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.terminalrelay.testing.TestRelay;
import io.bivouac.terminalrelay.testing.Wait;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OverdueQuestionTest {
    private static final Duration A_LOOK = Duration.ofSeconds(2);

    @Test
    void aQuestionIsOverAtTheNextLookThoughNoneWasOpenForLong() {
        try (var relay = TestRelay.start(Map.of("bivouac.permission.look-every", A_LOOK.toMillis() + "ms"))) {
            var id = relay.sandbox();
            try (var agent = relay.agent(id)) {
                assertThat(agent).isNotNull();
                long asked = System.nanoTime();
                var asking = PermissionTest.ask(relay, id, "--action deploy --resource late --timeout 1");
                var mine = relay.newcomer();
                Wait.until(() -> mine.get("/api/v1/permissions?state=denied")
                                .body()
                                .get("items")
                                .size()
                        == 1);
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(A_LOOK.multipliedBy(4));
                assertThat(asking.join().number("exitCode")).isEqualTo(1);
            }
        }
    }
}
