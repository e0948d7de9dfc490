package io.bivouac.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WebhookSettingsTest {
    @Test
    void defaults() {
        var settings = new WebhookSettings();
        assertThat(settings.getTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(settings.getLease()).isEqualTo(Duration.ofSeconds(60));
        assertThat(settings.getDisableAfter()).isEqualTo(Duration.ofDays(5));
        assertThat(settings.getKeep()).isEqualTo(Duration.ofDays(14));
        assertThat(settings.getEndpointsPerProject()).isEqualTo(100);
        assertThat(settings.getGroup()).isEqualTo("bivouac-webhooks");
        assertThat(settings.isDispatch()).isTrue();
    }
}
