package io.bivouac.sandboxio.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.memory.MemorySettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessSettingsTest {
    @Test
    void defaults() {
        var memory = new MemorySettings();
        var settings = new ProcessSettings(memory);
        assertThat(settings.getLinger()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.getDefaultTimeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.getPingEvery()).isEqualTo(Duration.ofSeconds(15));
        assertThat(settings.largestOutput())
                .isEqualTo(Math.min(CommandOrder.LARGEST_OUTPUT, memory.largestShare() / 2));
    }
}
