package io.bivouac.sandboxes.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LifecycleSettingsTest {
    @Test
    void defaults() {
        var settings = new LifecycleSettings();
        assertThat(settings.getStartsAtOnce()).isEqualTo(16);
        assertThat(settings.getStartsPerProject()).isEqualTo(12);
        assertThat(settings.getStartTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(settings.getAnswerWithin()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.getReconcileEvery()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.getKeepHistory()).isEqualTo(Duration.ofDays(7));
    }
}
