package io.bivouac.runtimes.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.TreeSet;

/** An unpacked image with a shell and a few commands, made of this machine's. */
final class TestTree {
    private static final List<String> COMMANDS =
            List.of("cat", "echo", "head", "id", "printf", "pwd", "sleep", "tail", "tr", "ls");

    private TestTree() {}

    static Path make(Path tree) throws IOException {
        Files.createDirectories(tree.resolve("bin"));
        Files.createDirectories(tree.resolve("etc"));
        Files.writeString(tree.resolve("etc/passwd"), "root:x:0:0::/root:/bin/sh\n");
        copy(Path.of("/bin/sh").toRealPath(), tree.resolve("bin/sh"), tree);
        for (var command : COMMANDS) {
            copy(Path.of("/usr/bin", command).toRealPath(), tree.resolve("bin").resolve(command), tree);
        }
        Files.setPosixFilePermissions(tree, PosixFilePermissions.fromString("rwxr-xr-x"));
        return tree;
    }

    private static void copy(Path program, Path target, Path tree) throws IOException {
        Files.copy(program, target, StandardCopyOption.COPY_ATTRIBUTES);
        for (var library : libraries(program)) {
            var inside = tree.resolve(library.substring(1));
            Files.createDirectories(inside.getParent());
            if (!Files.exists(inside)) {
                Files.copy(Path.of(library).toRealPath(), inside, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static TreeSet<String> libraries(Path program) throws IOException {
        var libraries = new TreeSet<String>();
        var ldd = new ProcessBuilder("ldd", program.toString()).start();
        try (var lines = ldd.inputReader()) {
            lines.lines()
                    .flatMap(line -> List.of(line.strip().split("\\s+")).stream())
                    .filter(word -> word.startsWith("/"))
                    .forEach(libraries::add);
        }
        return libraries;
    }
}
