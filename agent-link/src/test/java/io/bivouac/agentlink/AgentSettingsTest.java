package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AgentSettingsTest {
    @Test
    void defaults() {
        var settings = new AgentSettings();
        assertThat(settings.getSocketFolder()).isNull();
        assertThat(settings.getPort()).isNull();
        assertThat(settings.getHost()).isEqualTo("0.0.0.0");
        assertThat(settings.getCertificate()).isNull();
        assertThat(settings.getKey()).isNull();
        assertThat(settings.getHeartbeatEvery()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.getHeartbeatTimeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(settings.getReturnTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.getPingTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.getWaitForAgent()).isEqualTo(Duration.ofSeconds(2));
    }
}
