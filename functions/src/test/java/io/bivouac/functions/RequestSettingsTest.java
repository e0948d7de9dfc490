package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.http.RequestSettings;
import org.junit.jupiter.api.Test;

class RequestSettingsTest {
    @Test
    void defaults() {
        var settings = new RequestSettings();
        assertThat(settings.getMost()).isEqualTo(512);
        assertThat(settings.getPerProject()).isEqualTo(384);
        assertThat(settings.getPerCaller()).isEqualTo(256);
    }
}
