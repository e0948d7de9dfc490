package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.disk.Disk;
import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Gives a sandbox its folder with what its agent reads. Done again, what the agent reads is replaced. */
final class Preparation {
    private final Guards guards;
    private final boolean users;

    Preparation(Guards guards, boolean users) {
        this.guards = guards;
        this.users = users;
    }

    void prepare(SandboxFolder folder, InstanceSpec spec, TemplateRoot root, Disk disk) throws IOException {
        if (!Files.isDirectory(folder.path())) {
            // A kept disk has none any more.
            if (!Files.isDirectory(disk.furnished())) {
                Skeleton.furnish(disk.furnished(), disk.uid());
            }
            Files.move(disk.furnished(), folder.path(), StandardCopyOption.ATOMIC_MOVE);
        }
        secret(folder.run().resolve("token"), spec.joinToken().getBytes(java.nio.charset.StandardCharsets.UTF_8), disk);
        var configuration = AgentConfiguration.of(spec, users, root.shell().orElse(null), guards.inner());
        secret(folder.run().resolve("agent.json"), Json.bytes(configuration), disk);
    }

    private static void secret(Path file, byte[] content, Disk disk) throws IOException {
        var part = file.resolveSibling(file.getFileName() + ".part");
        if (!Files.exists(part)) {
            Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            if (disk.uid() != null) {
                Libc.chown(part, disk.uid(), disk.uid());
            }
        }
        Files.write(part, content);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
