package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.settings.OpenFiles;
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
        assertThat(settings.getAddress()).isNull();
        assertThat(settings.getAuthorityCertificate()).isNull();
        assertThat(settings.getAuthorityKey()).isNull();
        assertThat(settings.getAuthorityFile()).isNull();
        assertThat(settings.getConnections()).isEqualTo((int) Math.min(8_192, OpenFiles.most() / 3));
        assertThat(settings.getHeartbeatEvery()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.getHeartbeatTimeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(settings.getReturnTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.getPingTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.getWaitForAgent()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void othersDialTheAddressElseTheHostUnlessThatIsEveryAddress() {
        assertThat(advertised("0.0.0.0", null)).isNull();
        assertThat(advertised("::", null)).isNull();
        assertThat(advertised("10.0.0.7", null)).isEqualTo("10.0.0.7:50051");
        assertThat(advertised("::1", null)).isEqualTo("[::1]:50051");
        assertThat(advertised("0.0.0.0", "relays.example")).isEqualTo("relays.example:50051");
        assertThat(advertised("0.0.0.0", "relays.example:443")).isEqualTo("relays.example:443");
        assertThat(advertised("0.0.0.0", "[fd00::7]")).isEqualTo("[fd00::7]:50051");
        assertThat(advertised("0.0.0.0", "[fd00::7]:443")).isEqualTo("[fd00::7]:443");
    }

    private static String advertised(String host, String address) {
        var settings = new AgentSettings();
        settings.setHost(host);
        settings.setAddress(address);
        return settings.advertised(50051);
    }
}
