package io.bivouac.sandboxio.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTextTest {
    @Test
    void whatCouldDeceiveIsShownAsUnknown() {
        assertThat(ShownText.of("rm \u202Ecod.txt\u2069", 100)).isEqualTo("rm \uFFFDcod.txt\uFFFD");
        assertThat(ShownText.of("\u001B[2Kls\r", 100)).isEqualTo("\uFFFD[2Kls\uFFFD");
        assertThat(ShownText.of("a\u200Bb\u2028c\uD800\u3164\uFE0F", 100))
                .isEqualTo("a\uFFFDb\uFFFDc\uFFFD\uFFFD\uFFFD");
    }

    @Test
    void linesAndTabsAreShownInOneLine() {
        assertThat(ShownText.of("ls\trm\nmake\u00A0x", 100)).isEqualTo("ls rm ⏎ make x");
    }

    @Test
    void whatIsCutSaysSo() {
        assertThat(ShownText.of("ééé", 3)).isEqualTo("ééé");
        assertThat(ShownText.of("éééé", 3)).isEqualTo("ééé…");
        assertThat(ShownText.of("😀😀", 1)).isEqualTo("😀…");
    }
}
