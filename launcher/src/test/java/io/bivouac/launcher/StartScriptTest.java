package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts the server, with a program in the JDK's place that tells what it was given. */
class StartScriptTest {
    private static final Path SCRIPT = Path.of("src/distribution/bin/bivouac-server");

    @TempDir
    Path folder;

    @Test
    void theServerLeavesNoCoreFiles() throws Exception {
        var script = Files.copy(
                SCRIPT, Files.createDirectories(folder.resolve("bin")).resolve("bivouac-server"));
        Files.writeString(Files.createDirectories(folder.resolve("lib")).resolve("classpath"), "@LIB@/server.jar");
        Files.writeString(Files.createDirectories(folder.resolve("jdk")).resolve("release"), "JAVA_VERSION=\"25.0.1\"");
        program(folder.resolve("jdk/bin/java"), "#!/bin/sh\nulimit -c\n");

        var allowing = new ProcessBuilder("sh", "-c", "ulimit -S -c unlimited 2>/dev/null; exec sh " + script)
                .redirectErrorStream(true);
        allowing.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        var started = allowing.start();
        var said = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).isEqualTo("0\n");
    }

    private static void program(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
