package io.bivouac.foundation.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProjectSettingsTest {
    @Test
    void defaults() {
        var settings = new ProjectSettings();
        var none = new ProjectLimitRow(7, null, null, null, null, null);
        assertThat(settings.getSandboxes()).isEqualTo(500);
        assertThat(settings.limits(none)).isEqualTo(new ProjectLimits(7, 200, 500, 0, 0, 0));
        assertThat(settings.limits(none).boundsResources()).isFalse();
    }

    @Test
    void aProjectsOwnLimitsWin() {
        var settings = new ProjectSettings();
        settings.setMemory("4g");
        settings.setCpu(8);
        var own = new ProjectLimitRow(7, 1, 2, 3.5, null, 5L);
        assertThat(settings.limits(own)).isEqualTo(new ProjectLimits(7, 1, 2, 3.5, 4L << 30, 5));
    }
}
