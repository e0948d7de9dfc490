package io.bivouac.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JVM's compilers. The start script has them step back for the program, which is then there sooner; once it is,
 * they have to keep up with its first users, or a busy server stays slow.
 */
final class CompilerThreads {
    private static final Logger LOG = LoggerFactory.getLogger(CompilerThreads.class);
    private static final int NICE = 16;

    private CompilerThreads() {}

    /** Gives them the same share of the processors as everybody else. */
    static void joinIn(long pid) {
        try {
            var behind = behind(pid);
            if (behind.isEmpty()) {
                return;
            }
            var command = new ArrayList<>(List.of("renice", "-n", "0", "-p"));
            command.addAll(behind);
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notAllowed) {
            LOG.info("The compilers stay behind the program: {}", notAllowed.getMessage());
        }
    }

    private static List<String> behind(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.filter(CompilerThreads::isBehind)
                    .map(thread -> thread.getFileName().toString())
                    .toList();
        }
    }

    private static boolean isBehind(Path thread) {
        try {
            var line = Files.readString(thread.resolve("stat"));
            int named = line.lastIndexOf(')');
            var name = line.substring(line.indexOf('(') + 1, named);
            return name.matches("C[12] Compiler.*")
                    && Integer.parseInt(line.substring(named + 2).split(" ")[NICE]) > 0;
        } catch (IOException ended) {
            return false;
        }
    }
}
