package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A copy of the distribution on a machine that never had the folder it was built in. */
class MovedDistributionTest {
    /** Nothing is where the build was, for this process and those it starts. */
    private static final List<String> WITHOUT_THE_BUILD = List.of(
            "unshare",
            "--mount",
            "--propagation",
            "private",
            "sh",
            "-c",
            "mount -t tmpfs none '" + ServerProcess.DISTRIBUTION + "' && exec \"$@\"",
            "sh");

    private Path folder;
    private Path copy;

    @BeforeEach
    void copyTheDistribution() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can hide a folder from a process");
        folder = Files.createTempDirectory("bivouac-moved");
        copy = folder.resolve("another place");
        OrdinaryUser.run("chmod", "711", folder.toString());
        OrdinaryUser.run("cp", "-a", ServerProcess.DISTRIBUTION.toString(), copy.toString());
        Files.deleteIfExists(copy.resolve("lib/aot.tried"));
    }

    @AfterEach
    void remove() throws Exception {
        if (folder != null) {
            OrdinaryUser.run("rm", "-rf", "--one-file-system", folder.toString());
        }
    }

    @Test
    void itStartsAndItsCacheIsUsed() throws Exception {
        try (var server = start().awaitReady()) {
            assertThat(server.output()).contains("is ready (").doesNotContain("AOT");
            assertThat(server.maps(copy.resolve("lib/server.aot"))).isTrue();
            server.terminate();
            server.awaitExit();
        }
    }

    @Test
    void aDamagedCacheCostsOnlySpeed() throws Exception {
        var cache = copy.resolve("lib/server.aot");
        var bytes = Files.readAllBytes(cache);
        for (int i = bytes.length / 2; i < bytes.length / 2 + 4096; i++) {
            bytes[i] ^= 0x55;
        }
        Files.write(cache, bytes);

        try (var server = start().awaitReady()) {
            assertThat(server.output()).contains("is ready (").containsOnlyOnce("starting without the AOT caches");
            assertThat(server.maps(cache)).isFalse();
            server.terminate();
            server.awaitExit();
        }
    }

    private ServerProcess start() throws Exception {
        return ServerProcess.start(WITHOUT_THE_BUILD, copy, folder.resolve("data"), Map.of());
    }
}
