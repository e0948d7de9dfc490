package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A sandbox's folder before it has a sandbox: all folders, and an empty file for each that will be written. */
final class Skeleton {
    /** A part becomes the file by renaming, ours and the supervisor's alike. */
    private static final List<String> PARTS = List.of(
            "instance.json.part",
            "supervise.json.part",
            "supervise.out",
            "start.log",
            "supervisor.lock",
            "supervisor.pid.part",
            "init.pid.part",
            "exit.json.part");

    private Skeleton() {}

    static void furnish(Path folder, @Nullable Integer uid) throws IOException {
        var sandbox = new SandboxFolder(folder);
        make(folder, "rwx--x---");
        if (uid != null) {
            Libc.chown(folder, 0, uid);
        }
        for (var name : PARTS) {
            empty(folder.resolve(name), null);
        }
        // What belongs to the agent inside: the way there is open to its id alone.
        make(sandbox.run(), "rwx------");
        make(sandbox.run().resolve("relay"), "rwx------");
        make(sandbox.run().resolve("log"), "rwx------");
        empty(sandbox.run().resolve("token.part"), uid);
        empty(sandbox.run().resolve("agent.json.part"), uid);
        if (uid != null) {
            Libc.chown(sandbox.run(), uid, uid);
        }
    }

    static void make(Path folder, String mode) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(folder);
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
    }

    private static void empty(Path file, @Nullable Integer uid) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        if (uid != null) {
            Libc.chown(file, uid, uid);
        }
    }
}
