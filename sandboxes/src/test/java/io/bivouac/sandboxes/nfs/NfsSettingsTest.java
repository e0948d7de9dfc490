package io.bivouac.sandboxes.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NfsSettingsTest {
    @Test
    void defaults() {
        var settings = new NfsSettings();
        assertThat(settings.getMode()).isEqualTo("off");
        assertThat(settings.getHost()).isEqualTo("127.0.0.1");
        assertThat(settings.getPublicHost()).isEqualTo("127.0.0.1");
        assertThat(settings.getPort()).isEqualTo(2049);
        assertThat(settings.getAllow()).isEmpty();
        assertThat(settings.isAsync()).isFalse();
        assertThat(settings.beyondLoopback()).isFalse();
    }
}
