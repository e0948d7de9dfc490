package io.bivouac.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SolidSettingsTest {
    @Test
    void defaults() {
        var settings = new SolidSettings();
        assertThat(settings.getProject()).isNull();
        assertThat(settings.getProfilesKept()).isEqualTo(Duration.ofMinutes(2));
        assertThat(settings.getKeysKept()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.isRequireAth()).isTrue();
        assertThat(settings.getRefusalsAudited()).isEqualTo(60);
    }
}
