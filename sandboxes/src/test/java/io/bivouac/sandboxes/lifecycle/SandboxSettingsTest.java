package io.bivouac.sandboxes.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SandboxSettingsTest {
    @Test
    void defaults() {
        var settings = new SandboxSettings();
        assertThat(settings.getMaxCpu()).isEqualTo(64);
        assertThat(settings.getMaxMemory()).isEqualTo("256g");
        assertThat(settings.getMaxDisk()).isEqualTo("1t");
    }
}
