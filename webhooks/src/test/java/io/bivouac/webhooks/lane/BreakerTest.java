package io.bivouac.webhooks.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private final Breaker breaker = new Breaker();

    private void fail(int times, long now) {
        for (int i = 0; i < times; i++) {
            breaker.failed(now);
        }
    }

    @Test
    void itOpensAfterFailuresInARowAndLetsAProbeThroughAfterAPause() {
        fail(Breaker.FAILURES_IN_A_ROW - 1, 0);
        assertThat(breaker.isOpen()).isFalse();
        fail(1, 0);
        assertThat(breaker.isOpen()).isTrue();
        assertThat(breaker.isProbeDue(SECOND - 1)).isFalse();
        assertThat(breaker.isProbeDue(SECOND)).isTrue();
    }

    @Test
    void eachFailedProbeDoublesThePauseUpToABound() {
        fail(Breaker.FAILURES_IN_A_ROW, 0);
        fail(1, SECOND);
        assertThat(breaker.isProbeDue(3 * SECOND - 1)).isFalse();
        assertThat(breaker.isProbeDue(3 * SECOND)).isTrue();
        fail(20, 100 * SECOND);
        assertThat(breaker.isProbeDue(161 * SECOND)).isTrue();
    }

    @Test
    void aSuccessClosesItAndForgetsThePause() {
        fail(10, 0);
        breaker.succeeded();
        assertThat(breaker.isOpen()).isFalse();
        fail(Breaker.FAILURES_IN_A_ROW - 1, 0);
        assertThat(breaker.isOpen()).isFalse();
    }
}
