package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts the server, with a program in the JDK's place that tells what it was given. */
class StartScriptTest {
    private static final Path SCRIPT = Path.of("src/distribution/bin/bivouac-server");

    /** A trial of a cache is written down; the file "refuses" stands for a JVM that cannot take it. */
    private static final String JAVA = """
            #!/bin/sh
            case "$*" in
              *-XX:AOTMode=on*)
                echo tried >>"$JAVA_HOME/trials"
                [ ! -f "$JAVA_HOME/refuses" ] || { echo "[error][aot] no"; exit 1; }
                ;;
              *)
                ulimit -c
                printf '%s\\n' "$@"
                echo "descriptors $(ulimit -S -n) of $(ulimit -H -n)"
                ;;
            esac
            """;

    @TempDir
    Path folder;

    private Path home;
    private Path jdk;

    @BeforeEach
    void makeDistribution() throws IOException {
        home = folder.resolve("a & b | c");
        jdk = folder.resolve("jdk");
        write(home.resolve("bin/bivouac-server"), Files.readString(SCRIPT));
        write(home.resolve("lib/classpath"), "@LIB@/server.jar:@LIB@/other.jar");
        write(home.resolve("lib/server.jar"), "");
        write(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"");
        write(jdk.resolve("lib/modules"), "");
        write(jdk.resolve("bin/java"), JAVA);
        assertThat(jdk.resolve("bin/java").toFile().setExecutable(true)).isTrue();
    }

    @Test
    void theServerLeavesNoCoreFiles() throws Exception {
        assertThat(start().lines()).first().isEqualTo("0");
    }

    @Test
    void theServerMayUseAllDescriptorsThatItIsAllowed() throws Exception {
        var line = start().lines()
                .filter(one -> one.startsWith("descriptors "))
                .findFirst()
                .orElseThrow();
        var limits = line.substring("descriptors ".length()).split(" of ");
        assertThat(Long.parseLong(limits[0])).isEqualTo(Math.min(1_048_576, hard(limits[1])));
    }

    private static long hard(String limit) {
        return limit.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(limit);
    }

    @Test
    void theClassPathFollowsTheDistributionWhereverItIs() throws Exception {
        assertThat(start().lines()).contains(home + "/lib/server.jar:" + home + "/lib/other.jar");
    }

    @Test
    void aDistributionWithoutCachesStartsWithoutAWord() throws Exception {
        assertThat(start()).doesNotContain("AOT", "bivouac-server:");
    }

    @Test
    void cachesAreTriedOnceAndThenUsed() throws Exception {
        makeCaches();

        for (int i = 0; i < 2; i++) {
            assertThat(start().lines())
                    .contains(
                            "-XX:AOTCache=" + home + "/lib/server.aot",
                            "-Dbivouac.kafka.cache=" + home + "/lib/kafka.aot")
                    .noneMatch(line -> line.startsWith("bivouac-server:"));
        }
        assertThat(trials()).isEqualTo(2); // the server's and Kafka's
    }

    @Test
    void cachesAreTriedAgainWhenSomethingChanged() throws Exception {
        makeCaches();
        start();

        Files.setLastModifiedTime(home.resolve("lib/server.jar"), FileTime.from(Instant.EPOCH));
        start();

        assertThat(trials()).isEqualTo(4);
    }

    @Test
    void cachesThatTheJvmCannotTakeCostOnlySpeed() throws Exception {
        makeCaches();
        write(jdk.resolve("refuses"), "");

        for (int i = 0; i < 2; i++) {
            assertThat(start().lines())
                    .noneMatch(line -> line.contains("-XX:AOTCache") || line.contains("kafka.cache"))
                    .contains("io.bivouac.launcher.Launcher")
                    .filteredOn(line -> line.startsWith("bivouac-server:"))
                    .singleElement()
                    .asString()
                    .contains("starting without the AOT caches");
        }
    }

    private void makeCaches() throws IOException {
        write(home.resolve("lib/server.aot"), "");
        write(home.resolve("lib/kafka.aot"), "");
    }

    private long trials() throws IOException {
        return Files.readAllLines(jdk.resolve("trials")).size();
    }

    private String start() throws IOException {
        var allowing = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -S -c unlimited 2>/dev/null; ulimit -S -n 256; exec sh \"$0\"",
                        home + "/bin/bivouac-server")
                .redirectErrorStream(true);
        allowing.environment().put("JAVA_HOME", jdk.toString());
        return new String(allowing.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
