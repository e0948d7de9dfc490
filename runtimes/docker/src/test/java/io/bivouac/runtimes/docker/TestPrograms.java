package io.bivouac.runtimes.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs that the tests need; what is missing is installed where that is possible. */
final class TestPrograms {
    private static final List<String> FOLDERS =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/bin");

    private TestPrograms() {}

    static boolean have(String program, String... packages) {
        return find(program).isPresent() || (install(packages) && find(program).isPresent());
    }

    static Optional<Path> find(String program) {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static boolean install(String... packages) {
        var command = new ArrayList<>(List.of("apt-get", "install", "-y", "-q", "--no-install-recommends"));
        Stream.of(packages).forEach(command::add);
        var installing = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        installing.environment().put("DEBIAN_FRONTEND", "noninteractive");
        try {
            return installing.start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
