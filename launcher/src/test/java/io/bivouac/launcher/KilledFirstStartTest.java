package io.bivouac.launcher;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed while it makes its data folder: the next one goes on from whatever is there. */
class KilledFirstStartTest {
    private static final int KILLS = 4;
    private static final int LONGEST_MILLIS = 5_000;

    private final long seed = Long.getLong("bivouac.seed", System.nanoTime());

    @TempDir
    Path folder;

    @Test
    void theNextStartSucceeds() throws Exception {
        Files.setPosixFilePermissions(folder, fromString("rwx--x--x"));
        var traces = new HostTraces(folder.toRealPath(), "none");
        var random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            try (var server = ServerProcess.start(folder, Map.of())) {
                Thread.sleep(random.nextInt(200, LONGEST_MILLIS)); // the moment of the kill is what is tried
                server.kill();
            }
        }
        try (var server = ServerProcess.start(folder, Map.of()).awaitReady()) {
            server.terminate();
            assertThat(server.awaitExit()).as("seed %d", seed).isEqualTo(143); // 128 + TERM
            ServerProcess.await(
                    "no postgres and no Kafka, with seed " + seed,
                    () -> traces.backingProcesses().isEmpty());
            assertThat(traces.mounts()).isEmpty();
        } finally {
            CrashSite.unmount(traces);
        }
    }
}
