package io.bivouac.webhooks.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.webhooks.endpoint.Endpoint.Retry;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {
    private final Random random = new Random(1);

    @Test
    void theLongScheduleTakesMoreThanThreeDays() {
        long total = 0;
        int retries = 0;
        for (var delay = RetrySchedule.after(Retry.LONG, 1, random);
                delay.isPresent();
                delay = RetrySchedule.after(Retry.LONG, retries + 1, random)) {
            total += delay.getAsLong();
            retries++;
        }
        assertThat(retries).isEqualTo(9);
        assertThat(Duration.ofMillis(total)).isBetween(Duration.ofHours(75), Duration.ofHours(91));
    }

    @Test
    void delaysAreNeverShorterThanPromised() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(RetrySchedule.after(Retry.LONG, 1, random).orElseThrow()).isBetween(5_000L, 6_000L);
            assertThat(RetrySchedule.after(Retry.SHORT, 3, random).orElseThrow())
                    .isBetween(4_000L, 4_800L);
        }
        assertThat(RetrySchedule.after(Retry.SHORT, 4, random)).isEmpty();
    }
}
