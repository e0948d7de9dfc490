package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.settings.OpenFiles;
import io.bivouac.http.connection.ConnectionSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionSettingsTest {
    @Test
    void defaults() {
        var settings = new ConnectionSettings();
        assertThat(settings.getConnections()).isEqualTo((int) Math.min(10_000, OpenFiles.most() / 3));
        assertThat(settings.getConnectionsPerAddress()).isEqualTo(settings.getConnections() / 4);
        assertThat(settings.getTrustedProxies()).isEmpty();
        assertThat(settings.getUnread()).isEqualTo(Runtime.getRuntime().maxMemory() / 4);
        assertThat(settings.getRequestTimeout()).isEqualTo(Duration.ofSeconds(10));
    }
}
