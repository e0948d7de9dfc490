package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.disk.Disk;
import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxes.runtime.InstanceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Fills a sandbox's folder with what it needs to start. Written again, all of it is replaced. */
final class Preparation {
    private final Guards guards;

    Preparation(Guards guards) {
        this.guards = guards;
    }

    void prepare(SandboxFolder folder, InstanceSpec spec, TemplateRoot root, Disk disk) throws IOException {
        // What belongs to the agent inside: the way there is open to its id alone.
        make(folder.path(), "rwx--x---");
        if (disk.uid() != null) {
            Libc.chown(folder.path(), 0, disk.uid());
        }
        make(folder.run(), "rwx------");
        make(folder.run().resolve("relay"), "rwx------");
        make(folder.run().resolve("log"), "rwx------");
        secret(folder.run().resolve("token"), spec.joinToken(), disk);
        var shell = root.shell().orElse(null);
        var configuration = folder.run().resolve("agent.json");
        Json.write(configuration, AgentConfiguration.of(spec, disk.uid() != null, shell, guards.inner()));
        protect(configuration, disk);
        give(folder.run(), disk);
        SystemFiles.write(folder.etc(), root);
        linkCommands(folder.commands(), spec, root);
    }

    private static void linkCommands(Path folder, InstanceSpec spec, TemplateRoot root) throws IOException {
        make(folder, "rwxr-xr-x");
        try (var old = Files.newDirectoryStream(folder)) {
            for (var link : old) {
                Files.delete(link);
            }
        }
        for (var command : root.commands(spec.template()).entrySet()) {
            Files.createSymbolicLink(folder.resolve(command.getKey()), command.getValue());
        }
    }

    private static void secret(Path file, String text, Disk disk) throws IOException {
        var part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(part, text);
        give(part, disk);
        Files.move(part, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    private static void protect(Path file, Disk disk) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        give(file, disk);
    }

    private static void give(Path path, Disk disk) throws IOException {
        if (disk.uid() != null) {
            Libc.chown(path, disk.uid(), disk.uid());
        }
    }

    static void make(Path folder, String mode) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(folder);
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
    }
}
