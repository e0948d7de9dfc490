package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerThreadsTest {
    @TempDir
    Path folder;

    @Test
    void compilersThatStoodBackJoinIn() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root's compilers stand back");
        var program = Files.writeString(
                folder.resolve("Waits.java"),
                "class Waits { public static void main(String[] none) throws Exception { Thread.sleep(60_000); } }");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        java, "-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=10", program.toString())
                .start();
        try {
            ServerProcess.await("compilers that stand back", () -> nice(process).contains("10"));
            CompilerThreads.joinIn(process.pid());
            ServerProcess.await("compilers that join in", () -> !nice(process).contains("10"));
            assertThat(nice(process)).isNotEmpty().containsOnly("0");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Of all compiler threads. */
    private static List<String> nice(Process process) {
        try (var threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            return threads.map(CompilerThreadsTest::stat)
                    .filter(line -> line.matches("\\d+ \\(C[12] Compiler.*"))
                    .map(line -> line.substring(line.lastIndexOf(')') + 2).split(" ")[16])
                    .toList();
        } catch (IOException ended) {
            return List.of();
        }
    }

    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat")).strip();
        } catch (IOException ended) {
            return "";
        }
    }
}
