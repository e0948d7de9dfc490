package io.bivouac.runtimes.bubblewrap;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.runtimes.bubblewrap.disk.Disk;
import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxmodel.runtime.FolderRights;
import io.bivouac.sandboxmodel.runtime.FolderView;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What sandboxes see of the host's folders. Who asks is the supervisor and the process that shows the folder: they
 * read it from the sandbox's own folder, so that a view lives on without a server.
 */
final class Views {
    private static final Path DEVICE = Path.of("/dev/fuse");

    private Views() {}

    /** Why there can be none here. */
    static Optional<String> obstacle() {
        if (!Libc.isRoot()) {
            return Optional.of("the server does not run as root");
        }
        return Files.exists(DEVICE) ? Optional.empty() : Optional.of("this machine has no " + DEVICE);
    }

    /** As it is written down. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record View(String folder, Map<String, String> places) {
        List<SuperviseSpec.Bind> binds(SandboxFolder sandbox) {
            var mount = mount(sandbox);
            return new TreeMap<>(places)
                    .entrySet().stream()
                            .map(place -> SuperviseSpec.bind(
                                    mount.resolve(place.getValue().substring(1)).normalize(), place.getKey(), false))
                            .toList();
        }

        SuperviseSpec.View forUserOf(Disk disk) {
            return new SuperviseSpec.View(folder, disk.uid() + AgentConfiguration.USER);
        }
    }

    /** The table, in which modes are letters. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Table(long leaseSeconds, @Nullable Set<String> within, Map<String, Acl> acls) {
        static Table of(FolderRights rights) {
            var acls = new TreeMap<String, Acl>();
            rights.entries()
                    .forEach((path, entry) -> acls.put(path, new Acl(letters(entry.own()), letters(entry.below()))));
            return new Table(rights.lease().toSeconds(), rights.within(), acls);
        }

        private static String letters(Collection<FolderRights.Mode> modes) {
            var letters = new StringBuilder();
            for (var mode : modes) {
                letters.append(
                        switch (mode) {
                            case READ -> 'r';
                            case WRITE -> 'w';
                            case APPEND -> 'a';
                        });
            }
            return letters.toString();
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Acl(String own, String below) {}

    static Optional<View> of(SandboxFolder sandbox) {
        return Json.read(file(sandbox), View.class);
    }

    static void show(SandboxFolder sandbox, FolderView view, FolderRights rights) {
        obstacle().ifPresent(why -> {
            throw new RuntimeFailure("no folder can be shown: " + why);
        });
        try {
            // For whoever owns the folder that is seen; the way there is closed to all but the server's own.
            Skeleton.make(sandbox.view(), "rwx--x--x");
            Skeleton.make(mount(sandbox), "rwx------");
            grant(sandbox, rights);
            // Last: from now on it sees it.
            Json.write(file(sandbox), new View(view.folder().toRealPath().toString(), view.places()));
        } catch (IOException e) {
            throw new RuntimeFailure("cannot show " + view.folder() + ": " + e, e);
        }
    }

    static void grant(SandboxFolder sandbox, FolderRights rights) {
        var file = sandbox.view().resolve("rights.json");
        var part = file.resolveSibling(file.getFileName() + ".part");
        try {
            if (!Files.exists(part)) {
                Files.createFile(part);
            }
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-r--r--"));
            Json.write(file, Table.of(rights));
        } catch (IOException e) {
            throw new RuntimeFailure("cannot write down what may be seen: " + e, e);
        }
    }

    private static Path file(SandboxFolder sandbox) {
        return sandbox.view().resolve("view.json");
    }

    private static Path mount(SandboxFolder sandbox) {
        return sandbox.view().resolve("mount");
    }
}
