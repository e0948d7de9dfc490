package io.bivouac.runtimes.bubblewrap.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.bivouac.runtimes.bubblewrap.linux.Descriptors.Descriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** Copies only what a sparse file really holds. */
public final class SparseCopy {
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int ENXIO = 6;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MethodHandle SEEK = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("lseek"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT),
            ERRNO);
    private static final MethodHandle COPY = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("copy_file_range"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
            ERRNO);

    private SparseCopy() {}

    /** Both files are there and of the same length. */
    public static void copy(Path from, Path to) throws IOException {
        try (var source = Descriptors.open(from, Descriptors.READ_ONLY);
                var target = Descriptors.open(to, Descriptors.READ_WRITE)) {
            long data = seek(source, 0, SEEK_DATA);
            while (data >= 0) {
                long hole = seek(source, data, SEEK_HOLE);
                copy(source, target, data, hole);
                data = seek(source, hole, SEEK_DATA);
            }
        }
    }

    /** −1 past the last data. */
    private static long seek(Descriptor file, long offset, int whence) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = Libc.state(arena);
            long found = (long) SEEK.invokeExact(state, file.number(), offset, whence);
            if (found < 0 && Libc.errno(state) != ENXIO) {
                throw new IOException("cannot seek in a sparse file: " + Errno.describe(Libc.errno(state)));
            }
            return found;
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void copy(Descriptor source, Descriptor target, long from, long to) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = Libc.state(arena);
            // The call itself moves both on.
            MemorySegment input = arena.allocateFrom(JAVA_LONG, from);
            MemorySegment output = arena.allocateFrom(JAVA_LONG, from);
            while (input.get(JAVA_LONG, 0) < to) {
                long left = to - input.get(JAVA_LONG, 0);
                long copied = (long) COPY.invokeExact(state, source.number(), input, target.number(), output, left, 0);
                if (copied <= 0) {
                    throw new IOException("cannot copy a sparse file: " + Errno.describe(Libc.errno(state)));
                }
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
