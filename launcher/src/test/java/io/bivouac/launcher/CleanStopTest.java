package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server that is asked to stop leaves the machine as it was, but for the sandboxes that go on. */
class CleanStopTest {
    @Test
    void onlyRunningSandboxesAreLeft() throws Exception {
        try (var site = CrashSite.open(Map.of())) {
            ServerProcess.await(
                    "the pool of disks has mounts",
                    () -> !site.traces().mounts().isEmpty());
            var counting = CountingCommand.start(site.api());
            stop(site);
            assertThat(site.traces().mounts())
                    .as("mounts, with one sandbox running")
                    .hasSize(1);
            assertThat(site.traces().process(counting.sandbox(), "init.pid"))
                    .as("its agent")
                    .isPresent();

            site.start();
            counting.goesOn(site.api());
            Api.expect(204, site.api().delete(counting.sandbox()));
            stop(site);
            assertThat(Agreement.remains(site.traces())).as("with no sandbox").isEmpty();

            site.start();
            Api.expect(204, site.api().delete(site.api().created()));
        }
    }

    private static void stop(CrashSite site) throws Exception {
        long started = System.nanoTime();
        site.server().terminate();
        assertThat(site.server().awaitExit()).isEqualTo(143); // 128 + TERM
        System.out.printf("stopped within %d ms%n", (System.nanoTime() - started) / 1_000_000);
    }
}
