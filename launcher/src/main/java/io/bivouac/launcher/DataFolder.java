package io.bivouac.launcher;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import io.bivouac.embedded.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The folder that all data is under, held by one server at a time.
 *
 * <p>Others may pass through it (the embedded PostgreSQL has an account of its own) but not list it.
 */
record DataFolder(Path path, FileChannel lock) {
    /** The layout of the folder that this program writes; raised when an older program could not read it any more. */
    static final int VERSION = 1;

    static DataFolder take(Path path) {
        try {
            if (!Files.exists(path)) {
                Files.createDirectories(path);
                Files.setPosixFilePermissions(path, fromString("rwx--x--x"));
            }
            if (!Files.isDirectory(path) || !Files.isWritable(path)) {
                throw notWritable(path, null);
            }
            var lock = lock(path);
            checkVersion(path);
            return new DataFolder(path.toRealPath(), lock);
        } catch (IOException e) {
            throw notWritable(path, e);
        }
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    /** What the file holds, or what is made for it now; readable by us alone. */
    Stored stored(String name, java.util.function.Supplier<String> fresh) {
        var file = path.resolve(name);
        try {
            if (Files.exists(file)) {
                return new Stored(Files.readString(file).strip(), false);
            }
            var value = fresh.get();
            PrivateFiles.write(file, value + "\n");
            return new Stored(value, true);
        } catch (IOException e) {
            throw new StartRefused("%s can be neither read nor written.".formatted(file), e);
        }
    }

    /** A value of the data folder, and whether it has just been made. */
    record Stored(String value, boolean fresh) {}

    /** The lock lasts as long as the process: the system lets go of it even after a kill. */
    private static FileChannel lock(Path path) throws IOException {
        var file = path.resolve("lock");
        var channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            throw new StartRefused(
                    "Another Bivouac server%s uses the data folder %s. Stop it, or choose another folder with BIVOUAC_DATA_DIR."
                            .formatted(holder(file), path));
        }
        channel.truncate(0);
        channel.write(java.nio.charset.StandardCharsets.UTF_8.encode(
                ProcessHandle.current().pid() + "\n"));
        return channel;
    }

    private static String holder(Path file) throws IOException {
        var pid = Files.readString(file).strip();
        return pid.isEmpty() ? "" : " (process " + pid + ")";
    }

    private static void checkVersion(Path path) throws IOException {
        var file = path.resolve("version");
        if (!Files.exists(file)) {
            PrivateFiles.write(file, VERSION + "\n");
            return;
        }
        var text = Files.readString(file).strip();
        if (!text.matches("\\d{1,6}") || Integer.parseInt(text) > VERSION) {
            throw new StartRefused(
                    "The data in %s was written by a newer Bivouac (data version %s, this one knows %d). Use that version, or another folder (BIVOUAC_DATA_DIR)."
                            .formatted(path, text, VERSION));
        }
    }

    private static StartRefused notWritable(Path path, IOException cause) {
        return new StartRefused(
                "The data folder %s is not writable for %s. Choose another one with BIVOUAC_DATA_DIR."
                        .formatted(path, System.getProperty("user.name")),
                cause);
    }
}
