package io.bivouac.sessions.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PodSettingsTest {
    @Test
    void defaults() {
        var settings = new PodSettings();
        assertThat(settings.getTemplates()).isEmpty();
        assertThat(settings.getAskEvery()).isEqualTo(Duration.ofSeconds(15));
        assertThat(settings.getUnreadable()).isEqualTo(Duration.ofSeconds(60));
    }
}
