package io.bivouac.runtimes.bubblewrap.cgroup;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The control groups of one installation's sandboxes, by name. What does not exist uses nothing. */
public interface Cgroups {
    boolean limitsMemory();

    boolean limitsPids();

    boolean limitsCpu();

    /** One sentence for each limit that is not enforced. */
    List<String> notes();

    /** Makes a group with counters at zero, and gives the folders that its first process has to join. */
    List<Path> create(String name, Limits limits);

    /** Changes what a group may use that is there already. */
    void limit(String name, Limits limits);

    /** Why no group can be frozen here, as a sentence; empty when they can. */
    Optional<String> obstacleToFreezing();

    /** Returns when every process of the group holds still; those that it starts while it is being frozen as well. */
    void freeze(String name);

    /** Has the processes of a frozen group go on; any other stays as it is. */
    void thaw(String name);

    boolean isFrozen(String name);

    /** Ends every process in the group, however fast they multiply. */
    void killAll(String name);

    /** Ends what is in it and removes it. */
    void remove(String name);

    Used used(String name);

    /** How many processes the kernel has ended for want of memory. */
    long outOfMemoryKills(String name);

    /** All groups there are under the parent. */
    Set<String> names();

    /** Removes the parent when no group is under it; the next group makes it again. */
    void leaveNothingEmpty();

    /**
     * What a group may use.
     *
     * @param cpu in cores
     */
    record Limits(double cpu, long memoryBytes, long pids) {}

    /**
     * What a group uses.
     *
     * @param cpuNanos of processor time since it was made
     */
    record Used(long cpuNanos, long memoryBytes, long pids) {
        static final Used NOTHING = new Used(0, 0, 0);
    }
}
