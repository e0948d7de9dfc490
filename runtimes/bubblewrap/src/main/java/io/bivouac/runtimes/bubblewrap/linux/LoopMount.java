package io.bivouac.runtimes.bubblewrap.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.bivouac.runtimes.bubblewrap.linux.Descriptors.Descriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Mounts a file system that lies in a file. The program {@code mount} would do the same in ten times the time. */
public final class LoopMount {
    private static final Path CONTROL = Path.of("/dev/loop-control");
    private static final long GET_FREE = 0x4C82;
    private static final long CONFIGURE = 0x4C0A;
    private static final int EBUSY = 16;
    private static final int ATTEMPTS = 20;

    /** struct loop_config: the file's descriptor first, then among others the flags. */
    private static final int CONFIGURATION_SIZE = 304;

    private static final int FLAGS_OFFSET = 60;

    /** The device frees itself when it is unmounted. */
    private static final int AUTOCLEAR = 4;

    private static final long NOSUID_NODEV = 2 | 4;

    private LoopMount() {}

    /** Without set-uid programs and device files. */
    public static void mount(Path image, Path target, String type, String options) throws IOException {
        try (var file = Descriptors.open(image, Descriptors.READ_WRITE)) {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                var path = Path.of("/dev/loop" + freeNumber());
                try (var device = Descriptors.open(path, Descriptors.READ_WRITE)) {
                    if (take(device, file)) {
                        Libc.mount(path, target, type, NOSUID_NODEV, options);
                        return;
                    }
                }
            }
        }
        throw new IOException("cannot mount " + image + ": others take every loop device first");
    }

    private static int freeNumber() throws IOException {
        try (var control = Descriptors.open(CONTROL, Descriptors.READ_WRITE)) {
            int number = Descriptors.control(control, GET_FREE, MemorySegment.NULL);
            if (number < 0) {
                throw new IOException("there is no free loop device: " + Errno.describe(-number));
            }
            return number;
        }
    }

    /** False when somebody else has taken the device since it was free. */
    private static boolean take(Descriptor device, Descriptor file) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var configuration = arena.allocate(CONFIGURATION_SIZE, 8);
            configuration.set(JAVA_INT, 0, file.number());
            configuration.set(JAVA_INT, FLAGS_OFFSET, AUTOCLEAR);
            int result = Descriptors.control(device, CONFIGURE, configuration);
            if (result < 0 && result != -EBUSY) {
                throw new IOException("cannot set a loop device up: " + Errno.describe(-result));
            }
            return result >= 0;
        }
    }
}
