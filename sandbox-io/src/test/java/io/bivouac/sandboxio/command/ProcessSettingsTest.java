package io.bivouac.sandboxio.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessSettingsTest {
    @Test
    void defaults() {
        var settings = new ProcessSettings();
        assertThat(settings.getLinger()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.getDefaultTimeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.getPingEvery()).isEqualTo(Duration.ofSeconds(15));
        assertThat(settings.getOutputBudget()).isEqualTo(Runtime.getRuntime().maxMemory() / 4);
    }
}
