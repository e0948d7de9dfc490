package io.bivouac.embedded;

import static java.nio.file.attribute.PosixFilePermission.OTHERS_EXECUTE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who PostgreSQL runs as. It refuses root, so as root it becomes {@code nobody}, but in a group of its own: other
 * processes of nobody then can neither enter its folder nor trace it, since both need the group.
 */
enum PostgresAccount {
    OURSELVES {
        @Override
        List<String> command(List<String> command) {
            return command;
        }

        @Override
        void mayPass(Path folder) throws IOException {
            Files.setAttribute(folder, "unix:mode", 0700);
        }

        @Override
        void owns(Path path) {}
    },

    NOBODY {
        @Override
        List<String> command(List<String> command) {
            return Stream.concat(
                            Stream.of(
                                    "setpriv",
                                    "--reuid=" + NOBODY_USER,
                                    "--regid=" + PRIVATE_GROUP,
                                    "--clear-groups",
                                    "--no-new-privs"),
                            command.stream())
                    .toList();
        }

        @Override
        void mayPass(Path folder) throws IOException {
            Files.setAttribute(folder, "unix:gid", PRIVATE_GROUP);
            Files.setAttribute(folder, "unix:mode", 0710);
            openForSearch(folder);
            requireReachable(folder);
        }

        @Override
        void owns(Path path) throws IOException {
            Files.setAttribute(path, "unix:uid", NOBODY_USER);
            Files.setAttribute(path, "unix:gid", PRIVATE_GROUP);
        }
    };

    private static final int NOBODY_USER = 65534;

    /** In the range that is left to dynamic accounts; no group of that number needs to exist. */
    private static final int PRIVATE_GROUP = 64821;

    static PostgresAccount choose() {
        return weAreRoot() ? NOBODY : OURSELVES;
    }

    static boolean weAreRoot() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        } catch (IOException | UnsupportedOperationException e) {
            return false; // no Linux: then there is no account to change to either
        }
    }

    /** The command line that runs as this account. */
    abstract List<String> command(List<String> command);

    /** Lets this account, and nobody else but us, through the folder to what it owns there. */
    abstract void mayPass(Path folder) throws IOException;

    /** Gives it a file or folder that we have made. */
    abstract void owns(Path path) throws IOException;

    /** Test folders are made 0700 below the temporary folder; passing through tells nothing of what is in them. */
    private static void openForSearch(Path folder) throws IOException {
        var temporary = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
        for (Path above = folder.toRealPath().getParent();
                above != null && above.startsWith(temporary) && !above.equals(temporary);
                above = above.getParent()) {
            var permissions = Files.getPosixFilePermissions(above);
            if (permissions.add(OTHERS_EXECUTE)) {
                Files.setPosixFilePermissions(above, permissions);
            }
        }
    }

    void requireReachable(Path folder) throws IOException {
        if (mayEnter(folder)) {
            return;
        }
        var closed = folder.toRealPath();
        for (Path above = closed.getParent(); above != null && !mayEnter(above); above = above.getParent()) {
            closed = above;
        }
        throw new EmbeddedStackException(
                "PostgreSQL does not run as root, and its own account cannot enter %s. Choose another BIVOUAC_DATA_DIR, or allow it: chmod o+x %s"
                        .formatted(closed, closed));
    }

    boolean mayEnter(Path folder) throws IOException {
        var command = command(List.of("test", "-x", folder.toString()));
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
