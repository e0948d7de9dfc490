package io.bivouac.runtimes.bubblewrap.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** Files by their descriptors, for calls that take nothing else. */
final class Descriptors {
    static final int READ_ONLY = 0x80000 /* CLOEXEC */;
    static final int READ_WRITE = 2 | READ_ONLY;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MethodHandle OPEN = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            ERRNO,
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle IOCTL = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("ioctl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
            ERRNO,
            Linker.Option.firstVariadicArg(2));

    private Descriptors() {}

    /** An open file; closed with its block. */
    record Descriptor(int number) implements AutoCloseable {
        @Override
        public void close() {
            Libc.close(number);
        }
    }

    static Descriptor open(Path path, int flags) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = Libc.state(arena);
            int number = (int) OPEN.invokeExact(state, Libc.text(arena, path), flags);
            if (number < 0) {
                throw new IOException("cannot open " + path + ": " + Errno.describe(Libc.errno(state)));
            }
            return new Descriptor(number);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The call's result, or its error number below zero. */
    static int control(Descriptor file, long request, MemorySegment argument) {
        try (var arena = Arena.ofConfined()) {
            var state = Libc.state(arena);
            int result = (int) IOCTL.invokeExact(state, file.number(), request, argument);
            return result < 0 ? -Libc.errno(state) : result;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
