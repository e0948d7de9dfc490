package io.bivouac.runtimes.bubblewrap.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReserveTest {
    private static final long GIBIBYTE = 1L << 30;

    @Test
    void theUsualOneIsFivePerCentAndAtMostTenGibibytes() {
        assertThat(Reserve.parse("auto").of(100 * GIBIBYTE)).isEqualTo(5 * GIBIBYTE);
        assertThat(Reserve.parse("auto").of(1000 * GIBIBYTE)).isEqualTo(10 * GIBIBYTE);
    }

    @Test
    void aPartOrASizeMayBeSet() {
        assertThat(Reserve.parse("12.5 %").of(1000)).isEqualTo(125);
        assertThat(Reserve.parse("2g").of(100 * GIBIBYTE)).isEqualTo(2 * GIBIBYTE);
        assertThat(Reserve.parse("0").of(100 * GIBIBYTE)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"much", "100%", "-1g", ""})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> Reserve.parse(text)).hasMessageContaining("BIVOUAC_BUBBLEWRAP_DISK_RESERVE must be");
    }
}
