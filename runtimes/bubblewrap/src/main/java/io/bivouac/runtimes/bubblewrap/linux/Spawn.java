package io.bivouac.runtimes.bubblewrap.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs a program to its end by posix_spawn. Java's own ProcessBuilder goes through a helper program and threads, some
 * milliseconds that are a good part of what a sandbox's start may take. The program gets an almost empty environment,
 * no descriptor of ours, no blocked signal, and a file for its output.
 */
public final class Spawn {
    // Larger than glibc's posix_spawn_file_actions_t (80), posix_spawnattr_t (336) and sigset_t (128).
    private static final long OPAQUE = 1024;
    private static final short SETSIGDEF_AND_SETSIGMASK = 0x04 | 0x08;
    private static final int CREATE_TRUNCATE_WRITE = 0x40 | 0x200 | 0x1;
    private static final int OWNER_ONLY = 0600;
    private static final int EINTR = 4;

    private static final MethodHandle SPAWN =
            Libc.find("posix_spawn", ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle WAIT = Libc.find("waitpid", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle ACTIONS_INIT = Libc.find("posix_spawn_file_actions_init", ADDRESS);
    private static final MethodHandle ACTIONS_DESTROY = Libc.find("posix_spawn_file_actions_destroy", ADDRESS);
    private static final MethodHandle ADD_OPEN =
            Libc.find("posix_spawn_file_actions_addopen", ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle ADD_DUP =
            Libc.find("posix_spawn_file_actions_adddup2", ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle ADD_CLOSE_FROM =
            Libc.find("posix_spawn_file_actions_addclosefrom_np", ADDRESS, JAVA_INT);
    private static final MethodHandle ATTRIBUTES_INIT = Libc.find("posix_spawnattr_init", ADDRESS);
    private static final MethodHandle SET_FLAGS = Libc.find("posix_spawnattr_setflags", ADDRESS, JAVA_SHORT);
    private static final MethodHandle SET_MASK = Libc.find("posix_spawnattr_setsigmask", ADDRESS, ADDRESS);
    private static final MethodHandle SET_DEFAULT = Libc.find("posix_spawnattr_setsigdefault", ADDRESS, ADDRESS);
    private static final MethodHandle FILL = Libc.find("sigfillset", ADDRESS);

    private Spawn() {}

    /** Waits for the end and gives the exit code, or minus the number of the signal that ended it. */
    public static int run(List<String> argv, List<String> environment, Path output) {
        try (var arena = Arena.ofConfined()) {
            var state = Libc.state(arena);
            var actions = arena.allocate(OPAQUE, 16);
            call(ACTIONS_INIT, state, actions);
            try {
                var attributes = prepare(arena, state, actions, output);
                var pid = arena.allocate(JAVA_INT);
                int failed = (int) SPAWN.invokeExact(
                        state,
                        pid,
                        Libc.text(arena, argv.getFirst()),
                        actions,
                        attributes,
                        strings(arena, argv),
                        strings(arena, environment));
                if (failed != 0) {
                    throw new RuntimeFailure("cannot run " + argv.getFirst() + ": " + Errno.describe(failed));
                }
                return waitFor(arena, state, pid.get(JAVA_INT, 0));
            } finally {
                call(ACTIONS_DESTROY, state, actions);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MemorySegment prepare(Arena arena, MemorySegment state, MemorySegment actions, Path output)
            throws Throwable {
        int done = (int) ADD_OPEN.invokeExact(state, actions, 0, Libc.text(arena, "/dev/null"), 0, 0);
        done |= (int)
                ADD_OPEN.invokeExact(state, actions, 1, Libc.text(arena, output), CREATE_TRUNCATE_WRITE, OWNER_ONLY);
        done |= (int) ADD_DUP.invokeExact(state, actions, 1, 2);
        done |= (int) ADD_CLOSE_FROM.invokeExact(state, actions, 3);
        var attributes = arena.allocate(OPAQUE, 16);
        call(ATTRIBUTES_INIT, state, attributes);
        var none = arena.allocate(OPAQUE, 16);
        var all = arena.allocate(OPAQUE, 16);
        call(FILL, state, all);
        done |= (int) SET_MASK.invokeExact(state, attributes, none);
        done |= (int) SET_DEFAULT.invokeExact(state, attributes, all);
        done |= (int) SET_FLAGS.invokeExact(state, attributes, SETSIGDEF_AND_SETSIGMASK);
        if (done != 0) {
            throw new IllegalStateException("libc refuses to prepare a process");
        }
        return attributes;
    }

    private static int waitFor(Arena arena, MemorySegment state, int pid) throws Throwable {
        var status = arena.allocate(JAVA_INT);
        int result;
        do {
            result = (int) WAIT.invokeExact(state, pid, status, 0);
        } while (result < 0 && Libc.errno(state) == EINTR);
        int value = status.get(JAVA_INT, 0);
        int signal = value & 0x7f;
        return signal == 0 ? (value >> 8) & 0xff : -signal;
    }

    private static void call(MethodHandle function, MemorySegment state, MemorySegment argument) throws Throwable {
        if ((int) function.invokeExact(state, argument) != 0) {
            throw new IllegalStateException("libc is out of memory");
        }
    }

    private static MemorySegment strings(Arena arena, List<String> texts) {
        var array = arena.allocate(MemoryLayout.sequenceLayout(texts.size() + 1L, ADDRESS));
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ADDRESS, i, Libc.text(arena, texts.get(i)));
        }
        array.setAtIndex(ADDRESS, texts.size(), MemorySegment.NULL);
        return array;
    }
}
