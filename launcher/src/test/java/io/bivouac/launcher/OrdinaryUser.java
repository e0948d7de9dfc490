package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A user of this machine who is not root, with a folder of its own and programs that it can read. */
final class OrdinaryUser implements AutoCloseable {
    private final String name;
    private final boolean made;
    private final Path folder;

    private OrdinaryUser(String name, boolean made, Path folder) {
        this.name = name;
        this.made = made;
        this.folder = folder;
    }

    /** One that was given further ids, as most are that an administrator makes. */
    static OrdinaryUser withSubordinateIds() throws Exception {
        assumeRoot();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/newuidmap")), "the package uidmap is not installed");
        var name = "bvk" + ProcessHandle.current().pid();
        run("useradd", "--no-create-home", "--shell", "/bin/false", name);
        assertThat(Files.readString(Path.of("/etc/subuid"))).contains(name + ":");
        return new OrdinaryUser(name, true, folderOf(name));
    }

    /** One that has no id but its own. */
    static OrdinaryUser withOneId() throws Exception {
        assumeRoot();
        return new OrdinaryUser("nobody", false, folderOf("nobody"));
    }

    private static void assumeRoot() {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can become another user");
    }

    private static Path folderOf(String name) throws Exception {
        var folder = Files.createTempDirectory("bivouac-user");
        run("chown", name, folder.toString());
        return folder;
    }

    Path data() {
        return folder.resolve("data");
    }

    ServerProcess start(Map<String, String> settings) throws Exception {
        var become = List.of("setpriv", "--reuid", name, "--regid", group(), "--clear-groups");
        var all = new HashMap<>(settings);
        // It has no home to keep a cache in.
        all.put("BIVOUAC_CACHE_DIR", folder.resolve("cache").toString());
        return ServerProcess.start(become, distribution(), data(), all);
    }

    private String group() throws IOException {
        return Files.readString(Path.of("/etc/passwd"))
                .lines()
                .map(line -> line.split(":", -1))
                .filter(fields -> fields[0].equals(name))
                .findFirst()
                .orElseThrow()[3];
    }

    /** A copy: the build may lie in root's home, which nobody else can enter. */
    private Path distribution() throws Exception {
        var copy = folder.resolve("bivouac");
        if (!Files.exists(copy)) {
            run("cp", "-a", ServerProcess.DISTRIBUTION.toString(), copy.toString());
        }
        return copy;
    }

    static void run(String... command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @Override
    public void close() throws Exception {
        run("rm", "-rf", "--one-file-system", folder.toString());
        if (made) {
            run("userdel", name);
        }
    }
}
