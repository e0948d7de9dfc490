package io.bivouac.runtimes.bubblewrap.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UidRangesTest {
    private static final int FIRST = 0x1000_0000;

    @TempDir
    private Path folder;

    @Test
    void noTwoOwnersShareARange() {
        var ranges = new UidRanges(folder, FIRST, 100);
        var claimed = IntStream.range(0, 100)
                .parallel()
                .map(i -> ranges.claim("owner" + i))
                .boxed()
                .toList();
        assertThat(claimed).doesNotHaveDuplicates().allMatch(uid -> (uid - FIRST) % UidRanges.SIZE == 0);
    }

    @Test
    void whatIsReleasedIsGivenAgain() {
        var ranges = new UidRanges(folder, FIRST, 1);
        int uid = ranges.claim("first");
        assertThatThrownBy(() -> ranges.claim("second"))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining("in use");
        ranges.release(uid, "first");
        assertThat(ranges.claim("second")).isEqualTo(uid);
    }

    @Test
    void onlyTheOwnerReleases() {
        var ranges = new UidRanges(folder, FIRST, 1);
        int uid = ranges.claim("first");
        ranges.release(uid, "another");
        assertThatThrownBy(() -> ranges.claim("second")).isInstanceOf(RuntimeFailure.class);
    }

    @Test
    void aRestartForgetsOnlyClaimsOfTheDead() {
        int living = new UidRanges(folder, FIRST, 2).claim("living");
        int dead = new UidRanges(folder, FIRST, 2).claim("dead");
        var restarted = new UidRanges(folder, FIRST, 2);
        restarted.recover("living"::equals);
        assertThat(restarted.claim("next")).isEqualTo(dead).isNotEqualTo(living);
    }

    @Test
    void aClaimThatACrashLeftWithoutItsOwnerIsReleased() throws IOException {
        Files.createFile(folder.resolve(Integer.toString(FIRST)));
        var restarted = new UidRanges(folder, FIRST, 1);
        restarted.recover(owner -> Files.isDirectory(folder.resolve(owner)));
        assertThat(restarted.claim("next")).isEqualTo(FIRST);
    }
}
