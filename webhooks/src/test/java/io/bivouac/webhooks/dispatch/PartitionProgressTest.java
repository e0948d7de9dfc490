package io.bivouac.webhooks.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PartitionProgressTest {
    @Test
    void anOffsetIsCommittableOnlyWhenEverythingBeforeItIsSettled() {
        var progress = new PartitionProgress(10);
        var first = progress.begin(10, 2);
        var second = progress.begin(11, 1);
        progress.begin(15, 0);
        second.settled();
        assertThat(progress.committable()).isEqualTo(10);
        first.settled();
        assertThat(progress.committable()).isEqualTo(10);
        first.settled();
        assertThat(progress.committable()).isEqualTo(16);
    }
}
