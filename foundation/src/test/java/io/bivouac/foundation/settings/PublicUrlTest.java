package io.bivouac.foundation.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublicUrlTest {
    @Test
    void defaults() {
        assertThat(new PublicUrl(null).text()).isEmpty();
        assertThat(new PublicUrl(null).host()).isEmpty();
        assertThat(new PublicUrl(null).isHttps()).isFalse();
        assertThat(new PublicUrl(" ").text()).isEmpty();
    }

    @Test
    void slashesAtTheEndAreDropped() {
        var url = new PublicUrl("https://sandboxes.example/base//");
        assertThat(url.text()).contains("https://sandboxes.example/base");
        assertThat(url.host()).contains("sandboxes.example");
        assertThat(url.isHttps()).isTrue();
    }
}
