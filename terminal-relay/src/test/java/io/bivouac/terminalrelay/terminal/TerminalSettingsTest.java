package io.bivouac.terminalrelay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TerminalSettingsTest {
    @Test
    void defaults() {
        var settings = new TerminalSettings();
        assertThat(settings.getPerUser()).isEqualTo(5);
        assertThat(settings.getTotal()).isEqualTo(100);
        assertThat(settings.getSessionsPerProject()).isEqualTo(80);
        assertThat(settings.getPerSandbox()).isEqualTo(32);
        assertThat(settings.getMost()).isEqualTo(1_000);
        assertThat(settings.getIdleAfter()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.getIdleTimeout()).isEqualTo(Duration.ofMinutes(30));
        assertThat(settings.getSessionIdleTimeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.getSessionTimeout()).isEqualTo(Duration.ofHours(1));
        assertThat(settings.getLongestTimeout()).isEqualTo(Duration.ofHours(24));
        assertThat(settings.getKillAfter()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.getHold()).isEqualTo(Duration.ofSeconds(60));
        assertThat(settings.getPingEvery()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.getLookEvery()).isEqualTo(Duration.ofSeconds(5));
    }
}
