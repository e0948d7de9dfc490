package io.bivouac.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.foundation.access.BearerTokens;
import io.bivouac.foundation.access.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A login may go wrong in a way that nobody has thought of; its request is answered all the same. */
class BrokenLoginTest {
    private static final String BROKEN = "bivouac.test.broken-logins";

    @Singleton
    @Requires(property = BROKEN)
    static class BrokenTokens implements BearerTokens {
        @Override
        public Optional<Caller> authenticate(String token) {
            throw new StackOverflowError("in a test");
        }
    }

    @Test
    void anErrorInALoginIsAnsweredWith500() {
        try (var relay = TestRelay.start(Map.of(BROKEN, true))) {
            var answer = relay.http("no-key-at-all").get("/api/v1/sandboxes/sbx_none/process");
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.text("name")).isEqualTo("INTERNAL_ERROR");
            assertThat(answer.text("detail")).doesNotContain("in a test");
        }
    }
}
