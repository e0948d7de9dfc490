package io.bivouac.sandboxio.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GatewaySettingsTest {
    @Test
    void defaults() {
        var settings = new GatewaySettings(null, null, 96, null, null);
        assertThat(settings.port()).isEmpty();
        assertThat(settings.url()).isEmpty();
        assertThat(settings.connectionsPerSandbox()).isEqualTo(96);
        assertThat(GatewaySettings.USUAL_PORT).isEqualTo(8081);
    }
}
