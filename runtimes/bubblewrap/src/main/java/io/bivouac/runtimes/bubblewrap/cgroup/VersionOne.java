package io.bivouac.runtimes.bubblewrap.cgroup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A hierarchy for each controller, or for a few of them together. */
final class VersionOne extends GroupFolders {
    static final List<String> CONTROLLERS = List.of("memory", "pids", "cpu", "cpuacct", "freezer");

    private static final long CPU_PERIOD_MICROS = 100_000;

    private final Map<String, Path> parents;

    /** @param parents for each controller that the host has */
    VersionOne(Map<String, Path> parents) {
        super(parents.values().stream().distinct().toList());
        this.parents = Map.copyOf(parents);
    }

    @Override
    public boolean limitsMemory() {
        return parents.containsKey("memory");
    }

    @Override
    public boolean limitsPids() {
        return parents.containsKey("pids");
    }

    @Override
    public boolean limitsCpu() {
        return parents.containsKey("cpu");
    }

    @Override
    public List<String> notes() {
        var notes = new ArrayList<String>();
        for (var controller : List.of("memory", "pids", "cpu")) {
            if (!parents.containsKey(controller)) {
                notes.add("The limit on " + controller + " is not enforced: this host does not mount the cgroup"
                        + " controller " + controller + ".");
            }
        }
        return notes;
    }

    @Override
    public void limit(String name, Limits limits) {
        if (limitsMemory()) {
            limitMemory(name, limits.memoryBytes());
        }
        if (limitsPids()) {
            write(file("pids", name, "pids.max"), limits.pids());
        }
        if (limitsCpu()) {
            write(file("cpu", name, "cpu.cfs_period_us"), CPU_PERIOD_MICROS);
            write(file("cpu", name, "cpu.cfs_quota_us"), Math.round(limits.cpu() * CPU_PERIOD_MICROS));
        }
    }

    /** The limit with swap may at no time be the lower one. */
    private void limitMemory(String name, long bytes) {
        var memory = file("memory", name, "memory.limit_in_bytes");
        var withSwap = file("memory", name, "memory.memsw.limit_in_bytes");
        boolean raised = bytes > number(memory);
        var both = Files.exists(withSwap) ? List.of(memory, withSwap) : List.of(memory);
        (raised ? both.reversed() : both).forEach(file -> write(file, bytes));
    }

    @Override
    public Optional<String> obstacleToFreezing() {
        return parents.containsKey("freezer")
                ? Optional.empty()
                : Optional.of("Sandboxes cannot be paused here: this host has no cgroup controller freezer that can be"
                        + " written.");
    }

    @Override
    public boolean isFrozen(String name) {
        return read(file("freezer", name, "freezer.state")).strip().equals("FROZEN");
    }

    @Override
    void order(String name, boolean frozen) {
        if (parents.containsKey("freezer")) {
            var state = file("freezer", name, "freezer.state");
            if (Files.exists(state)) {
                write(state, frozen ? "FROZEN" : "THAWED");
            }
        }
    }

    @Override
    public Used used(String name) {
        long memory = number(file("memory", name, "memory.usage_in_bytes"));
        // Pages of files that the kernel drops when it needs room are not the sandbox's use.
        long cache = number(file("memory", name, "memory.stat"), "total_inactive_file");
        return new Used(
                number(file("cpuacct", name, "cpuacct.usage")),
                Math.max(0, memory - cache),
                number(file("pids", name, "pids.current")));
    }

    @Override
    public long outOfMemoryKills(String name) {
        return number(file("memory", name, "memory.oom_control"), "oom_kill");
    }

    private Path file(String controller, String name, String file) {
        return parents.getOrDefault(controller, Path.of("/nonexistent"))
                .resolve(name)
                .resolve(file);
    }
}
