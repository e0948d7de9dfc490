package io.bivouac.terminalrelay.permission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PermissionSettingsTest {
    @Test
    void defaults() {
        var settings = new PermissionSettings();
        assertThat(settings.getPerSandbox()).isEqualTo(32);
        assertThat(settings.getPerProject()).isEqualTo(500);
        assertThat(settings.getQuorum()).isEqualTo(1);
        assertThat(settings.getLongestWait()).isEqualTo(Duration.ofHours(1));
        assertThat(settings.getLongestGrant()).isEqualTo(Duration.ofHours(24));
        assertThat(settings.getLookEvery()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.getKeep()).isEqualTo(Duration.ofDays(7));
        assertThat(settings.getDenialRemembered()).isEqualTo(Duration.ofSeconds(30));
    }
}
