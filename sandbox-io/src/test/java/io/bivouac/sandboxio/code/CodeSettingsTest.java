package io.bivouac.sandboxio.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CodeSettingsTest {
    @Test
    void defaults() {
        var settings = new CodeSettings();

        assertThat(settings.getSessions()).isEqualTo(16);
        assertThat(settings.getSessionIdle()).isEqualTo(Duration.ofHours(1));
        assertThat(settings.getDefaultTimeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.getPingEvery()).isEqualTo(Duration.ofSeconds(15));
    }
}
