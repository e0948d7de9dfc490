package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
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
                // Other tests' questions are in the same project.
                var resource = "late-" + id.value();
                var asking = PermissionTest.ask(relay, id, "--action deploy --resource " + resource + " --timeout 1");
                var http = relay.newcomer();
                Wait.until(() -> isDenied(http, resource));
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(A_LOOK.multipliedBy(4));
                assertThat(asking.join().number("exitCode")).isEqualTo(1);
            }
        }
    }

    private static boolean isDenied(Http http, String resource) {
        var denied =
                http.get("/api/v1/permissions?state=denied&limit=100").body().get("items");
        for (var question : denied.values()) {
            var asked = question.get("resource");
            if (asked != null && asked.isString() && asked.getStringValue().equals(resource)) {
                return true;
            }
        }
        return false;
    }
}
