package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BubblewrapSettingsTest {
    @Test
    void nothingNeedsToBeSet() {
        assertThat(TestRelay.bean(BubblewrapSettings.class)).isEqualTo(BubblewrapSettings.defaults());
    }

    @Test
    void everyDataFolderGetsIdsThatContainersMayHave() {
        for (var folder : new String[] {"/a", "/b", "/c", "/var/lib/bivouac"}) {
            int first = BubblewrapSettings.defaults().firstUid(Path.of(folder));
            assertThat(first).isBetween(0x1000_0000, 0x6000_0000);
        }
    }
}
