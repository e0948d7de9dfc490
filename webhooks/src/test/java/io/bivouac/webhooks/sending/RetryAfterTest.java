package io.bivouac.webhooks.sending;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void secondsAndDatesAreReadAndNonsenseIsNot() {
        assertThat(RetryAfter.parse("30", NOW)).isEqualTo(Duration.ofSeconds(30));
        assertThat(RetryAfter.parse("Thu, 1 Jan 2026 12:01:00 GMT", NOW)).isEqualTo(Duration.ofMinutes(1));
        assertThat(RetryAfter.parse("Thu, 1 Jan 2026 11:00:00 GMT", NOW)).isNull();
        assertThat(RetryAfter.parse("soon", NOW)).isNull();
        assertThat(RetryAfter.parse("-5", NOW)).isNull();
        assertThat(RetryAfter.parse("999999999", NOW)).isEqualTo(Duration.ofHours(24));
    }
}
