package io.bivouac.runtimes.bubblewrap.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file that a sandbox may have put something else in the place of: a link, a pipe, a huge file. */
public final class UntrustedFile {
    private UntrustedFile() {}

    /** The last bytes, at most {@code most}. */
    public static byte[] tail(Path path, int most) throws IOException {
        int descriptor = Libc.open(path);
        try {
            var opened = Path.of("/proc/self/fd/" + descriptor);
            if (!Files.isRegularFile(opened)) {
                throw new IOException(path + " is not a file");
            }
            try (var channel = FileChannel.open(opened)) {
                long size = channel.size();
                var bytes = ByteBuffer.allocate((int) Math.min(size, most));
                channel.position(size - bytes.capacity());
                while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                    // Until it is full, or the file has become shorter.
                }
                return java.util.Arrays.copyOf(bytes.array(), bytes.position());
            }
        } finally {
            Libc.close(descriptor);
        }
    }
}
