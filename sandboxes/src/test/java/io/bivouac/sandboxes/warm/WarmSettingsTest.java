package io.bivouac.sandboxes.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sandboxmodel.template.WarmRange;
import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WarmSettingsTest {
    private final WarmSettings settings = new WarmSettings();

    @Test
    void twoSandboxesOfTheDefaultTemplateAreStartedAhead() {
        assertThat(settings.getSandboxes()).isEqualTo(2);
        assertThat(settings.rangeOf(template("default", null))).isEqualTo(new WarmRange(2, 8));
    }

    @Test
    void zeroSwitchesWarmStartsOffForAllTemplates() {
        settings.setSandboxes(0);
        assertThat(settings.rangeOf(template("default", null))).isEqualTo(WarmRange.NONE);
        assertThat(settings.rangeOf(template("mine", WarmRange.from(4)))).isEqualTo(WarmRange.NONE);
    }

    @Test
    void theSettingCountsForTheDefaultTemplateUnlessItsTemplateSays() {
        settings.setSandboxes(2);
        assertThat(settings.rangeOf(template("default", null))).isEqualTo(new WarmRange(2, 8));
        assertThat(settings.rangeOf(template("default", new WarmRange(0, 0)))).isEqualTo(WarmRange.NONE);
        assertThat(settings.rangeOf(template("mine", null))).isEqualTo(WarmRange.NONE);
        assertThat(settings.rangeOf(template("mine", new WarmRange(1, 3)))).isEqualTo(new WarmRange(1, 3));
    }

    private static Template template(String name, @Nullable WarmRange warm) {
        return new Template(
                name,
                "",
                Map.of(),
                Map.of(),
                List.of(),
                Resources.DEFAULT,
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                EgressPolicy.NOTHING,
                Template.DEFAULT_MAX_LIFETIME,
                warm);
    }
}
