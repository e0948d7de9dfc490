package io.bivouac.foundation.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DatabaseSettingsTest {
    @Test
    void defaults() {
        var settings = new DatabaseSettings();
        assertThat(settings.getUrl()).isNull();
        assertThat(settings.getPoolSize()).isEqualTo(16);
    }
}
