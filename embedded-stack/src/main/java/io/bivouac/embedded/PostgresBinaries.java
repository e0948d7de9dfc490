package io.bivouac.embedded;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked from the class path once for each version and shared by all data folders. */
record PostgresBinaries(Path home, String version) {
    /** Where programs are unpacked; by default the system's cache folder for root, and the user's otherwise. */
    static final String CACHE_SETTING = "BIVOUAC_CACHE_DIR";

    static PostgresBinaries unpacked() throws IOException {
        return unpackedIn(cache());
    }

    static PostgresBinaries unpackedIn(Path cache) throws IOException {
        var version = publishedVersion();
        var home = cache.resolve("postgresql-" + version);
        if (!Files.exists(home)) {
            Files.createDirectories(cache);
            try (var channel = FileChannel.open(
                    cache.resolve("postgresql.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock(); // until the channel is closed
                unpack(home);
            }
        }
        return new PostgresBinaries(home, version);
    }

    Path program(String name) {
        return home.resolve("bin").resolve(name);
    }

    /** Under a name of its own first: whoever finds {@code home} finds all of it. */
    private static void unpack(Path home) throws IOException {
        if (Files.exists(home)) {
            return; // another process did it while we waited for the lock
        }
        var partial = home.resolveSibling(home.getFileName() + ".partial");
        PrivateFiles.deleteTree(partial);
        Files.createDirectories(partial);
        try (var archive = archive();
                var tar = new TarArchiveInputStream(new XZInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(entry, tar, partial);
            }
        }
        Files.setPosixFilePermissions(partial, fromString("rwxr-xr-x"));
        Files.move(partial, home, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void unpack(TarArchiveEntry entry, InputStream content, Path root) throws IOException {
        var target = root.resolve(entry.getName()).normalize();
        if (!target.startsWith(root)) {
            throw new IOException("an entry leads out of the archive: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            Files.copy(content, target);
            boolean executable = (entry.getMode() & 0100) != 0;
            Files.setPosixFilePermissions(target, fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    private static InputStream archive() {
        var name =
                "/postgres-linux-" + ("aarch64".equals(System.getProperty("os.arch")) ? "arm_64" : "x86_64") + ".txz";
        var archive = PostgresBinaries.class.getResourceAsStream(name);
        if (archive == null) {
            throw new EmbeddedStackException(
                    "There are no PostgreSQL programs for this machine (%s) on the class path. "
                                    .formatted(System.getProperty("os.arch"))
                            + "Use a PostgreSQL of your own: BIVOUAC_DATABASE_URL=postgresql://user:password@host:port/db");
        }
        return archive;
    }

    private static String publishedVersion() throws IOException {
        try (var in = PostgresBinaries.class.getResourceAsStream("postgresql.properties")) {
            var properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        }
    }

    private static Path cache() {
        var chosen = System.getenv(CACHE_SETTING);
        if (chosen != null && !chosen.isBlank()) {
            return Path.of(chosen);
        }
        if (PostgresAccount.weAreRoot()) {
            return Path.of("/var/cache/bivouac");
        }
        var user = System.getenv("XDG_CACHE_HOME");
        return user == null || user.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache", "bivouac")
                : Path.of(user, "bivouac");
    }
}
