package io.bivouac.foundation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KafkaSettingsTest {
    @Test
    void defaults() {
        var settings = new KafkaSettings();
        assertThat(settings.getBootstrap()).isNull();
        assertThat(settings.getTopic()).isEqualTo("bivouac.events");
        assertThat(settings.getPartitions()).isEqualTo(6);
        assertThat(settings.getReplication()).isEqualTo((short) 1);
        assertThat(settings.getProperties()).isEmpty();
    }
}
