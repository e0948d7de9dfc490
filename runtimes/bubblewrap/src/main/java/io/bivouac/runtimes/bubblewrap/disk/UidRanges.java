package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ranges of host ids, each held by one owner. A claim is a file named after the range: the file system decides who
 * was first, and a crash leaves at most a claim whose owner does not exist.
 */
final class UidRanges {
    static final int SIZE = 65_536;

    private final Path folder;
    private final int first;
    private final int count;
    private final AtomicInteger next = new AtomicInteger();

    /** @param first the host id that becomes root in the first range */
    UidRanges(Path folder, int first, int count) {
        this.folder = folder;
        this.first = first;
        this.count = count;
    }

    /** The host id that is the owner's root. */
    int claim(String owner) {
        for (int tried = 0; tried < count; tried++) {
            int uid = first + Math.floorMod(next.getAndIncrement(), count) * SIZE;
            try {
                Files.createDirectories(folder);
                Files.writeString(file(uid), owner, java.nio.file.StandardOpenOption.CREATE_NEW);
                return uid;
            } catch (FileAlreadyExistsException held) {
                // By another one.
            } catch (IOException e) {
                throw new RuntimeFailure("cannot claim a range of ids: " + e, e);
            }
        }
        throw new RuntimeFailure("all " + count + " ranges of ids are in use");
    }

    void release(int uid, String owner) {
        try {
            if (Files.exists(file(uid)) && Files.readString(file(uid)).equals(owner)) {
                Files.deleteIfExists(file(uid));
            }
        } catch (IOException e) {
            throw new RuntimeFailure("cannot release a range of ids: " + e, e);
        }
    }

    /** Releases what nobody holds any more. */
    void recover(java.util.function.Predicate<String> exists) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (var claims = Files.newDirectoryStream(folder)) {
            for (var claim : claims) {
                var owner = Files.readString(claim);
                // A crash between making the file and writing into it leaves a claim of nobody's.
                if (owner.isBlank() || !exists.test(owner)) {
                    Files.deleteIfExists(claim);
                }
            }
        } catch (IOException e) {
            throw new RuntimeFailure("cannot read the ranges of ids: " + e, e);
        }
    }

    private Path file(int uid) {
        return folder.resolve(Integer.toString(uid));
    }
}
