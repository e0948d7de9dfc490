package io.bivouac.runtimes.bubblewrap.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/** The few calls of libc that Java has no API for: a command for each would cost a process. */
public final class Libc {
    public static final int SIGKILL = 9;
    public static final int SIGTERM = 15;

    private static final int MNT_DETACH = 2;
    private static final long MS_BIND = 4096;
    private static final long MS_SHARED = 1 << 20;
    private static final int ENOENT = 2;
    private static final int EINVAL = 22;
    private static final int ENOSPC = 28;
    private static final int O_WRITE = 1 | 0x20000 /* NOFOLLOW */ | 0x80000 /* CLOEXEC */;
    private static final int O_READ_REGULAR = 0x800 /* NONBLOCK */ | 0x20000 /* NOFOLLOW */ | 0x80000 /* CLOEXEC */;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_VALUE =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno")).withInvokeExactBehavior();

    private static final MethodHandle KILL = find("kill", JAVA_INT, JAVA_INT);
    private static final MethodHandle CHOWN = find("lchown", ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle MOUNT = find("mount", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    private static final MethodHandle UMOUNT = find("umount2", ADDRESS, JAVA_INT);
    private static final MethodHandle OPEN = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            ERRNO,
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = find("close", JAVA_INT);
    private static final MethodHandle ALLOCATE = find("fallocate", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle EFFECTIVE_UID =
            LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("geteuid"), FunctionDescriptor.of(JAVA_INT));

    private Libc() {}

    /** Whether there was such a process. */
    public static boolean kill(int pid, int signal) {
        try (var arena = Arena.ofConfined()) {
            return (int) KILL.invokeExact(arena.allocate(STATE), pid, signal) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Never follows a link. */
    public static void chown(Path path, int uid, int gid) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(STATE);
            check("chown " + path, (int) CHOWN.invokeExact(state, text(arena, path), uid, gid), state);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static void mount(Path source, Path target, String type, long flags, String options) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(STATE);
            int result = (int) MOUNT.invokeExact(
                    state, text(arena, source), text(arena, target), text(arena, type), flags, text(arena, options));
            check("mount " + source + " on " + target, result, state);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Makes a mount of a folder, at its own place. What is mounted below it and unmounted again goes from all
     * namespaces that have a copy of it.
     */
    public static void bindToItself(Path folder) throws IOException {
        mount(folder, folder, "none", MS_BIND, "");
        mount(folder, folder, "none", MS_SHARED, "");
    }

    /** Takes the mount away at once; what still uses it keeps it alive unseen. No mount there is no error. */
    public static void unmount(Path path) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(STATE);
            int result = (int) UMOUNT.invokeExact(state, text(arena, path), MNT_DETACH);
            if (errno(state) != EINVAL && errno(state) != ENOENT) {
                check("unmount " + path, result, state);
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Gives a file blocks without writing them; false when there are not that many. */
    public static boolean allocate(Path file, long from, long bytes) throws IOException {
        int descriptor = open(file, O_WRITE);
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(STATE);
            int result = (int) ALLOCATE.invokeExact(state, descriptor, 0, from, bytes);
            if (result < 0 && errno(state) == ENOSPC) {
                return false;
            }
            check("allocate " + bytes + " bytes of " + file, result, state);
            return true;
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            close(descriptor);
        }
    }

    /** Opens for reading, without following a link and without waiting for the other end of a pipe. */
    static int open(Path path) throws IOException {
        return open(path, O_READ_REGULAR);
    }

    private static int open(Path path, int flags) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(STATE);
            int descriptor = (int) OPEN.invokeExact(state, text(arena, path), flags);
            check("open " + path, descriptor, state);
            return descriptor;
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static void close(int descriptor) {
        try (var arena = Arena.ofConfined()) {
            int ignored = (int) CLOSE.invokeExact(arena.allocate(STATE), descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    public static int effectiveUid() {
        try {
            return (int) EFFECTIVE_UID.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    public static boolean isRoot() {
        return effectiveUid() == 0;
    }

    static MethodHandle find(String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments), ERRNO);
    }

    static MemorySegment state(Arena arena) {
        return arena.allocate(STATE);
    }

    static int errno(MemorySegment state) {
        return (int) ERRNO_VALUE.get(state, 0L);
    }

    static MemorySegment text(Arena arena, Object text) {
        return arena.allocateFrom(text.toString());
    }

    private static void check(String what, int result, MemorySegment state) throws IOException {
        if (result < 0) {
            throw new IOException("cannot " + what + ": " + Errno.describe(errno(state)));
        }
    }
}
