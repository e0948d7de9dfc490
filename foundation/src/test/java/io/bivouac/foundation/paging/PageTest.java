package io.bivouac.foundation.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {
    private static final String HALF = "x".repeat(Page.LARGEST_BYTES / 2);

    private static Page<String> page(List<String> oneMore, int limit) {
        return Page.of(oneMore, limit, text -> "after " + text.length(), Page::utf8);
    }

    @Test
    void aPageEndsByItsRows() {
        assertThat(page(List.of("a", "bb", "ccc"), 2).items()).containsExactly("a", "bb");
        assertThat(page(List.of("a", "bb", "ccc"), 2).nextCursor()).isEqualTo("after 2");
        assertThat(page(List.of("a", "bb"), 2).nextCursor()).isNull();
    }

    @Test
    void aPageEndsByItsBytes() {
        assertThat(page(List.of(HALF, HALF, "x"), 9).items()).containsExactly(HALF, HALF);
        assertThat(page(List.of(HALF, HALF, "x"), 9).nextCursor()).isEqualTo("after " + HALF.length());
        assertThat(page(List.of(HALF, HALF), 9).nextCursor()).isNull();
    }

    @Test
    void anItemThatIsTooLargeIsAPageOfItsOwn() {
        assertThat(page(List.of(HALF.repeat(3), "x"), 9).items()).containsExactly(HALF.repeat(3));
    }

    @Test
    void bytesAreThoseOfUtf8() {
        var text = "aß€\uD83D\uDE00\u0001";
        assertThat(Page.utf8(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }
}
