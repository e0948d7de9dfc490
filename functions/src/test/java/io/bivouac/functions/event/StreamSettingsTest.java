package io.bivouac.functions.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StreamSettingsTest {
    @Test
    void defaults() {
        var settings = new StreamSettings();
        assertThat(settings.getMost()).isEqualTo(1_000);
        assertThat(settings.getPerCaller()).isEqualTo(250);
        assertThat(settings.getLongest()).isEqualTo(Duration.ofMinutes(30));
        assertThat(settings.getPing()).isEqualTo(Duration.ofSeconds(15));
    }
}
