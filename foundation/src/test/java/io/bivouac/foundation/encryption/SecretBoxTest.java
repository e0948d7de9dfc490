package io.bivouac.foundation.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class SecretBoxTest {
    private static final String ONE = key("a");
    private static final String OTHER = key("b");

    private static String key(String letter) {
        return Base64.getEncoder().encodeToString(letter.repeat(32).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatIsSealedOpensAtItsOwnPlaceOnly() {
        var box = new SecretBox(ONE);
        var sealed = box.seal("whsec_hidden", "endpoints/1");
        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("hidden");
        assertThat(box.open(sealed, "endpoints/1")).isEqualTo("whsec_hidden");
        assertThatThrownBy(() -> box.open(sealed, "endpoints/2")).hasMessageContaining("another key");
    }

    @Test
    void aReplacedKeyStillOpensWhatItSealed() {
        var old = new SecretBox(ONE).seal("s", "p");
        var both = new SecretBox(OTHER + "," + ONE);
        assertThat(both.open(old, "p")).isEqualTo("s");
        assertThat(new SecretBox(OTHER).open(both.seal("t", "p"), "p")).isEqualTo("t");
        assertThatThrownBy(() -> new SecretBox(OTHER).open(old, "p")).hasMessageContaining("another key");
    }

    @Test
    void aKeyOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> new SecretBox("c2hvcnQ=")).hasMessageContaining("32 bytes");
        assertThatThrownBy(() -> new SecretBox("not base64!")).hasMessageContaining("32 bytes");
    }
}
