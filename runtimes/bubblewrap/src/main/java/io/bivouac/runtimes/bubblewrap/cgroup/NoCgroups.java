package io.bivouac.runtimes.bubblewrap.cgroup;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A host that gives us no control groups: nothing is limited and nothing is counted. */
public record NoCgroups(String reason) implements Cgroups {
    @Override
    public boolean limitsMemory() {
        return false;
    }

    @Override
    public boolean limitsPids() {
        return false;
    }

    @Override
    public boolean limitsCpu() {
        return false;
    }

    @Override
    public List<String> notes() {
        return List.of("The limits on memory, processes and cpu are not enforced: " + reason + ".");
    }

    @Override
    public List<Path> create(String name, Limits limits) {
        return List.of();
    }

    @Override
    public void limit(String name, Limits limits) {}

    @Override
    public Optional<String> obstacleToFreezing() {
        return Optional.of("Sandboxes cannot be paused here: " + reason + ".");
    }

    @Override
    public void freeze(String name) {
        throw new RuntimeFailure("cannot freeze " + name + ": " + reason);
    }

    @Override
    public void thaw(String name) {}

    @Override
    public boolean isFrozen(String name) {
        return false;
    }

    @Override
    public void killAll(String name) {}

    @Override
    public void remove(String name) {}

    @Override
    public Used used(String name) {
        return Used.NOTHING;
    }

    @Override
    public long outOfMemoryKills(String name) {
        return 0;
    }

    @Override
    public Set<String> names() {
        return Set.of();
    }

    @Override
    public void leaveNothingEmpty() {}
}
