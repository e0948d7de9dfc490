package io.bivouac.runtimes.bubblewrap.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One hierarchy for all controllers; a folder's children have those that it passes on. */
final class VersionTwo extends GroupFolders {
    private static final String CONTROLLERS = "+memory +pids +cpu";
    private static final long CPU_PERIOD_MICROS = 100_000;
    private static final long NANOS_PER_MICRO = 1_000;

    private final Path root;
    private final Path parent;

    /** @param parent somewhere under {@code root}, the mount */
    VersionTwo(Path root, Path parent) {
        super(List.of(parent));
        this.root = root;
        this.parent = parent;
    }

    @Override
    public boolean limitsMemory() {
        return true;
    }

    @Override
    public boolean limitsPids() {
        return true;
    }

    @Override
    public boolean limitsCpu() {
        return true;
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    /** From the mount down: a folder can pass on only what it was given itself. */
    @Override
    void enableControllers(Path folder) throws IOException {
        var path = root;
        pass(path);
        for (var part : root.relativize(folder)) {
            path = path.resolve(part);
            pass(path);
        }
    }

    private static void pass(Path folder) throws IOException {
        var enabled =
                List.of(read(folder.resolve("cgroup.subtree_control")).strip().split(" ", -1));
        if (!enabled.containsAll(List.of("memory", "pids", "cpu"))) {
            Files.writeString(
                    folder.resolve("cgroup.subtree_control"), CONTROLLERS, java.nio.file.StandardOpenOption.WRITE);
        }
    }

    @Override
    public void limit(String name, Limits limits) {
        write(file(name, "memory.max"), limits.memoryBytes());
        if (Files.exists(file(name, "memory.swap.max"))) {
            write(file(name, "memory.swap.max"), 0);
        }
        write(file(name, "pids.max"), limits.pids());
        write(file(name, "cpu.max"), Math.round(limits.cpu() * CPU_PERIOD_MICROS) + " " + CPU_PERIOD_MICROS);
    }

    /** Every kernel since 5.2 has it in every group but the root. */
    @Override
    public Optional<String> obstacleToFreezing() {
        return !Files.exists(parent) || Files.exists(parent.resolve("cgroup.freeze"))
                ? Optional.empty()
                : Optional.of("Sandboxes cannot be paused here: this kernel freezes no control groups.");
    }

    @Override
    public boolean isFrozen(String name) {
        return number(file(name, "cgroup.events"), "frozen") == 1;
    }

    @Override
    void order(String name, boolean frozen) {
        if (Files.exists(file(name, "cgroup.freeze"))) {
            write(file(name, "cgroup.freeze"), frozen ? 1 : 0);
        }
    }

    @Override
    public Used used(String name) {
        long memory = number(file(name, "memory.current"));
        long cache = number(file(name, "memory.stat"), "inactive_file");
        return new Used(
                number(file(name, "cpu.stat"), "usage_usec") * NANOS_PER_MICRO,
                Math.max(0, memory - cache),
                number(file(name, "pids.current")));
    }

    @Override
    public long outOfMemoryKills(String name) {
        return number(file(name, "memory.events"), "oom_kill");
    }

    private Path file(String name, String file) {
        return parent.resolve(name).resolve(file);
    }
}
