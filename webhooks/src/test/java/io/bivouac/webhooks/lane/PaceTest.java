package io.bivouac.webhooks.lane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void aSecondsWorthGoesAtOnceAndTheRestEvenly() {
        var pace = new Pace(2, 0);
        assertThat(pace.take(0)).isZero();
        assertThat(pace.take(0)).isZero();
        assertThat(pace.take(0)).isEqualTo(500_000_000L);
        assertThat(pace.take(500_000_000L)).isZero();
        assertThat(pace.take(500_000_000L)).isPositive();
        assertThat(new Pace(null, 0).take(0)).isZero();
    }
}
