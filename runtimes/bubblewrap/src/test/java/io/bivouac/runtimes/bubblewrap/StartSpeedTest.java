package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxes.Resources;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.runtime.InstanceSpec;
import io.bivouac.sandboxes.template.Template;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long a sandbox takes to make, so that a change that makes it slow is noticed. */
class StartSpeedTest {
    private static final Logger LOG = LoggerFactory.getLogger(StartSpeedTest.class);
    private static final int ROUNDS = 40;

    /** Far above what it takes on an idle machine: tests share theirs. */
    private static final double LONGEST_MEDIAN_MILLIS = 60;

    @Test
    void aSandboxIsMadeInMilliseconds() throws Exception {
        try (var machine = new TestMachine();
                var runtime = machine.runtime(NoLink::get)) {
            var creates = new ArrayList<Double>();
            var starts = new ArrayList<Double>();
            var removes = new ArrayList<Double>();
            for (int i = 0; i < ROUNDS; i++) {
                Thread.sleep(40);
                var spec = spec();
                long begin = System.nanoTime();
                runtime.create(spec);
                long created = System.nanoTime();
                runtime.start(spec.id());
                long started = System.nanoTime();
                runtime.remove(spec.id(), false);
                long removed = System.nanoTime();
                creates.add((created - begin) / 1e6);
                starts.add((started - created) / 1e6);
                removes.add((removed - started) / 1e6);
            }
            LOG.info(
                    "median: create {} ms, start {} ms, remove {} ms",
                    median(creates),
                    median(starts),
                    median(removes));
            assertThat(median(creates) + median(starts)).isLessThan(LONGEST_MEDIAN_MILLIS);
        }
    }

    private static InstanceSpec spec() {
        var template = new Template(
                "speed",
                "for speed",
                Map.of(BubblewrapRuntime.NAME, Template.HOST_ROOT),
                Map.of(),
                List.of(),
                Resources.DEFAULT,
                List.of(),
                Map.of("sh", List.of("/bin/sh")));
        return new InstanceSpec(SandboxId.next(), "speed", template, Resources.DEFAULT, Map.of(), "token", null);
    }

    private static double median(List<Double> values) {
        var sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
