package io.bivouac.runtimes.bubblewrap.cgroup;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.OpenFiles;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/** What both versions share: a group is a folder in each hierarchy, and its members are listed in a file. */
abstract class GroupFolders implements Cgroups {
    static final Duration LONGEST_KILL = Duration.ofSeconds(10);

    /** A process that waits in the kernel, for a disk say, holds still only when it has what it waits for. */
    static final Duration LONGEST_FREEZE = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(2);

    private final List<Path> parents;

    /** @param parents one folder in each hierarchy, made when needed */
    GroupFolders(List<Path> parents) {
        this.parents = List.copyOf(parents);
    }

    /** Begins to freeze a group, or has it go on; one that does not exist stays so. */
    abstract void order(String name, boolean frozen);

    @Override
    public final void freeze(String name) {
        obstacleToFreezing().ifPresent(why -> {
            throw new RuntimeFailure(why);
        });
        long deadline = System.nanoTime() + LONGEST_FREEZE.toNanos();
        order(name, true);
        while (!isFrozen(name)) {
            if (System.nanoTime() - deadline > 0) {
                order(name, false);
                throw new RuntimeFailure("processes of " + name + " do not hold still: " + members(name));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            // Version 1 may give up on a process that was busy in the kernel; asked again, it tries again.
            order(name, true);
        }
    }

    @Override
    public final void thaw(String name) {
        if (isFrozen(name)) {
            order(name, false);
        }
    }

    @Override
    public final List<Path> create(String name, Limits limits) {
        remove(name);
        try {
            for (var parent : parents) {
                Files.createDirectories(parent);
                enableControllers(parent);
                Files.createDirectory(parent.resolve(name));
            }
        } catch (IOException e) {
            throw new RuntimeFailure("cannot make the control group " + name + ": " + e.getMessage(), e);
        }
        limit(name, limits);
        return parents.stream().map(parent -> parent.resolve(name)).toList();
    }

    void enableControllers(Path parent) throws IOException {}

    @Override
    public final void killAll(String name) {
        long deadline = System.nanoTime() + LONGEST_KILL.toNanos();
        while (!members(name).isEmpty()) {
            // So that a fork bomb holds still while its members are ended.
            order(name, true);
            for (int pid : members(name)) {
                Libc.kill(pid, Libc.SIGKILL);
            }
            order(name, false);
            if (System.nanoTime() - deadline > 0) {
                throw new RuntimeFailure("processes of " + name + " do not end: " + members(name));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    @Override
    public final void remove(String name) {
        if (parents.stream().noneMatch(parent -> Files.exists(parent.resolve(name)))) {
            return;
        }
        killAll(name);
        long deadline = System.nanoTime() + LONGEST_KILL.toNanos();
        for (var parent : parents) {
            while (true) {
                try {
                    Files.deleteIfExists(parent.resolve(name));
                    break;
                } catch (IOException busy) {
                    // The last member is listed no more, but its parent has not waited for it yet.
                    if (System.nanoTime() - deadline > 0) {
                        throw new RuntimeFailure("cannot remove the control group " + name + ": " + busy, busy);
                    }
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
        }
    }

    private Set<Integer> members(String name) {
        var members = new TreeSet<Integer>();
        for (var parent : parents) {
            for (var line : read(parent.resolve(name).resolve("cgroup.procs")).split("\n", -1)) {
                // 0 is a process that this one cannot see.
                if (!line.isBlank() && !line.equals("0")) {
                    members.add(Integer.parseInt(line));
                }
            }
        }
        return members;
    }

    @Override
    public final Set<String> names() {
        var names = new TreeSet<String>();
        for (var parent : parents) {
            try (var entries = Files.list(parent)) {
                entries.filter(Files::isDirectory)
                        .forEach(entry -> names.add(entry.getFileName().toString()));
            } catch (IOException none) {
                // No sandbox was started yet.
            }
        }
        return names;
    }

    @Override
    public final void leaveNothingEmpty() {
        for (var parent : parents) {
            try {
                Files.deleteIfExists(parent);
            } catch (IOException inUse) {
                // Sandboxes go on in it.
            }
        }
    }

    static void write(Path file, Object value) {
        try {
            Files.writeString(file, value.toString(), java.nio.file.StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new RuntimeFailure("cannot set " + file + " to " + value + ": " + e.getMessage(), e);
        }
    }

    /** Empty when it is not there. */
    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException none) {
            OpenFiles.mustNotBeExhausted(none);
            return "";
        }
    }

    static long number(Path file) {
        var text = read(file).strip();
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    /** The value beside a name in a file of names and values. */
    static long number(Path file, String name) {
        return read(file)
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(
                        line -> Long.parseLong(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElse(0);
    }
}
