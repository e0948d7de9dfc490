package io.bivouac.foundation.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The system's own resolver at a name server that never answers, in a network and a mount namespace of its own. */
class SilentNameServerTest {
    @TempDir
    private Path folder;

    @Test
    void anotherProjectsNamesAreLookedUpMeanwhile() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root, for a network of its own");
        Files.writeString(folder.resolve("resolv.conf"), "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n");
        Files.writeString(folder.resolve("hosts"), "127.0.0.1 localhost\n192.0.2.7 served.example\n");
        Files.writeString(folder.resolve("nsswitch.conf"), "hosts: files dns\n");
        var script = "ip link set lo up && for f in resolv.conf hosts nsswitch.conf; do mount --bind '" + folder
                + "'/$f /etc/$f; done && exec \"$@\"";
        var process = new ProcessBuilder(
                        "unshare",
                        "--net",
                        "--mount",
                        "sh",
                        "-ec",
                        script,
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SilentNameServer.class.getName())
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said).contains("192.0.2.7 while 200 wait, 16 of them asking");
    }
}
