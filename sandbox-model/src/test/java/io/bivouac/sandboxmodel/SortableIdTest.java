package io.bivouac.sandboxmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.error.BivouacException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SortableIdTest {
    @Test
    void idsSortByTheTimeOfTheirBirth() {
        assertThat(SortableId.next("x-", 1_000)).isLessThan(SortableId.next("x-", 1_001));
        assertThat(SortableId.next("x-", 1_700_000_000_000L)).isLessThan(SortableId.next("x-", 1_800_000_000_000L));
    }

    @Test
    void idsHaveTheirPrefixAndTwentySixCharactersAndAreUnique() {
        var ids = IntStream.range(0, 10_000)
                .mapToObj(_ -> SortableId.next("sbx-"))
                .toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("sbx-[0-9a-hjkmnp-tv-z]{26}"));
    }

    @Test
    void whatCannotBeAnIdNamesNoSandbox() {
        for (var text :
                new String[] {"", "sbx-", "sbx-../../etc/passwd", "cmd-" + "0".repeat(26), "sbx-" + "A".repeat(26)}) {
            assertThatThrownBy(() -> SandboxId.parse(text))
                    .isInstanceOf(BivouacException.class)
                    .hasMessageContaining("There is no sandbox");
        }
    }
}
