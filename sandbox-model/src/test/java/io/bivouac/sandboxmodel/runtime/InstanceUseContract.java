package io.bivouac.sandboxmodel.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.sandboxmodel.Resources;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an instance says and what it may use. */
abstract class InstanceUseContract extends CommandContract {
    @Test
    void theLogHasTimeAndStreamOfEachLine() {
        var before = Instant.now();
        var id = started(spec(command("sh", "-c", "echo one; echo two >&2; echo three; sleep 60")));
        var lines = eventually(() -> workloadLog(id, LogQuery.DEFAULT_TAIL), found -> found.size() >= 3);
        assertThat(lines).extracting(LogLine::text).containsExactlyInAnyOrder("one", "two", "three");
        assertThat(lines)
                .filteredOn(line -> line.text().equals("two"))
                .extracting(LogLine::stream)
                .containsExactly("stderr");
        assertThat(lines)
                .filteredOn(line -> line.text().equals("one"))
                .extracting(LogLine::stream)
                .containsExactly("stdout");
        assertThat(lines).allMatch(line -> line.time().isAfter(before.minusSeconds(2)));
        assertThat(runtime().logs(id, new LogQuery(1, null, null))).hasSize(1);
        assertThat(runtime().logs(id, new LogQuery(10, null, before.minusSeconds(60))))
                .isEmpty();
        var last = lines.stream().map(LogLine::time).max(Instant::compareTo).orElseThrow();
        assertThat(runtime().logs(id, new LogQuery(10, last.plusMillis(1), null)))
                .noneMatch(line -> line.text().equals("one"));
    }

    @Test
    void aBusyOneUsesWhatItMayAndNoMore() {
        var resources = new Resources(0.5, 64L << 20, 128L << 20);
        var id = started(spec(command("sh", "-c", "while :; do :; done"), resources));
        var usage = eventually(() -> runtime().stats(id), found -> found.cpu().usage() > 0.1);
        assertThat(usage.cpu().limit()).isEqualTo(0.5);
        assertThat(usage.memory().limit()).isEqualTo(64L << 20);
        assertThat(usage.disk().limit()).isEqualTo(128L << 20);
        assertThat(usage.memory().usage()).isPositive().isLessThanOrEqualTo(64L << 20);
        assertThat(usage.pids()).isBetween(1L, 100L);
        assertThat(usage.network().rxBytes()).isNotNegative();
        if (runtime().capabilities().cpuLimit()) {
            // Within a moment it may use more: it is held back when its share of the moment is spent.
            eventually(() -> runtime().stats(id), found -> found.cpu().usage() < 0.7);
        }
    }

    @Test
    void aStoppedOneUsesNothingAndKeepsItsLimits() {
        var id = started(spec());
        runtime().stop(id, GRACE);
        var usage = runtime().stats(id);
        assertThat(usage.cpu().usage()).isZero();
        assertThat(usage.pids()).isZero();
        assertThat(usage.memory().limit()).isEqualTo(Resources.DEFAULT.memoryBytes());
    }

    @Test
    void memoryBeyondTheLimitIsNotGiven() {
        assumeTrue(runtime().capabilities().memoryLimit(), "the limit on memory is not enforced here");
        var id = started(spec(List.of(), new Resources(1, 32L << 20, 1L << 30)));
        var result = run(id, "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}");
        assertThat(result.stdout()).doesNotContain("200000000");
    }

    @Test
    void processesBeyondTheLimitAreNotGiven() {
        assumeTrue(runtime().capabilities().pidsLimit(), "the limit on processes is not enforced here");
        var id = started(spec());
        var result = run(id, "i=0; while [ $i -lt 1500 ]; do sleep 20 & i=$((i+1)); done; echo all of them");
        assertThat(result.stdout()).doesNotContain("all of them");
    }
}
