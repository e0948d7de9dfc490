package io.bivouac.sandboxio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FileSettingsTest {
    @Test
    void theDefaultsAreThoseOfTheDocumentation() {
        var settings = new FileSettings();
        assertThat(settings.getTransfers()).isEqualTo(16);
        assertThat(settings.getWatches()).isEqualTo(16);
        assertThat(settings.getLongestLink()).isEqualTo(Duration.ofDays(7));
        assertThat(settings.getPingEvery()).isEqualTo(Duration.ofSeconds(15));
    }
}
