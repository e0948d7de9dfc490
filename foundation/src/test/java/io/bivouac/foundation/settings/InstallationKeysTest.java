package io.bivouac.foundation.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class InstallationKeysTest {
    @Test
    void keysAreTakenByTheirNamesAndTheFormerOnes() {
        assertThat(new InstallationKeys("a", null, "b", null).token()).isEqualTo("a");
        assertThat(new InstallationKeys("a", null, "b", null).encryption()).isEqualTo("b");
        assertThat(new InstallationKeys(null, "a", null, "b\n").token()).isEqualTo("a");
        assertThat(new InstallationKeys(null, "a", null, "b\n").encryption()).isEqualTo("b");
        assertThat(new InstallationKeys("a", "a", "b", "b ").encryption()).isEqualTo("b");
    }

    @Test
    void anEmptyValueIsNone() {
        assertThat(new InstallationKeys("a", "", "", "b").token()).isEqualTo("a");
        assertThat(new InstallationKeys("a", "", "", "b").encryption()).isEqualTo("b");
        assertThatThrownBy(() -> new InstallationKeys("", " ", "b", null).token())
                .hasMessage("BIVOUAC_TOKEN_KEY is not set.");
    }

    @Test
    void bothNamesWithDifferentValuesAreRefused() {
        assertThatThrownBy(() -> new InstallationKeys("a", "other", "b", null))
                .hasMessage(
                        "BIVOUAC_TOKEN_KEY and BIVOUAC_SECRET_KEY have different values;"
                                + " BIVOUAC_SECRET_KEY is the former name of BIVOUAC_TOKEN_KEY, so set only BIVOUAC_TOKEN_KEY.");
        assertThatThrownBy(() -> new InstallationKeys("a", null, "b", "other"))
                .hasMessageContaining("set only BIVOUAC_ENCRYPTION_KEY");
    }

    @Test
    void aKeyThatIsMissingIsNamed() {
        var none = new InstallationKeys(null, null, null, null);
        assertThatThrownBy(none::token).hasMessage("BIVOUAC_TOKEN_KEY is not set.");
        assertThatThrownBy(none::encryption).hasMessage("BIVOUAC_ENCRYPTION_KEY is not set.");
    }
}
