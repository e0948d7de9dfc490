package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The lock on a data folder: two servers with the same one would each remove what the other makes. */
record OneServer(FileChannel file) implements AutoCloseable {
    static OneServer lock(Path data) {
        try {
            Files.createDirectories(data);
            var file =
                    FileChannel.open(data.resolve("runtime.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                if (file.tryLock() != null) {
                    return new OneServer(file);
                }
            } catch (OverlappingFileLockException ourselves) {
                // Twice in this process is as bad as two processes.
            }
            file.close();
            throw new RuntimeFailure("another server already uses the data folder " + data);
        } catch (IOException e) {
            throw new RuntimeFailure("cannot use the data folder " + data + ": " + e, e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new RuntimeFailure("cannot release the data folder: " + e, e);
        }
    }
}
