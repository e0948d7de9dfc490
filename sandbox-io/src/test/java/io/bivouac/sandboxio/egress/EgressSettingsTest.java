package io.bivouac.sandboxio.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class EgressSettingsTest {
    @Test
    void defaults() {
        var settings = new EgressSettings();
        assertThat(settings.getAllowPrivate()).isEmpty();
        assertThat(settings.isAuditConnections()).isFalse();
        assertThat(settings.getRefusalsAudited()).isEqualTo(10);
        assertThat(settings.getConnectTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.getIdleTimeout()).isEqualTo(Duration.ofMinutes(15));
        assertThat(settings.getAskTimeout()).isEqualTo(Duration.ofSeconds(60));
    }
}
