package io.bivouac.sandboxes.host;

import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.HostCapacity;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process that makes sandboxes.
 *
 * @param enforces what holds for its sandboxes, separated by commas
 * @param fault why it cannot start sandboxes now
 */
@MappedEntity("hosts")
record HostRow(
        @Id String process,
        String host,
        String runtime,
        double cpu,
        long memoryBytes,
        long diskBytes,
        String enforces,
        @Nullable String fault,
        Instant until) {
    private static final String USERS = "users";
    private static final String MEMORY = "memory";
    private static final String PIDS = "pids";
    private static final String CPU = "cpu";
    private static final String DISK = "disk";

    HostCapacity capacity() {
        return new HostCapacity(cpu, memoryBytes, diskBytes);
    }

    boolean works() {
        return fault == null;
    }

    static String written(Capabilities can) {
        return Stream.of(
                        can.users() ? USERS : "",
                        can.memoryLimit() ? MEMORY : "",
                        can.pidsLimit() ? PIDS : "",
                        can.cpuLimit() ? CPU : "",
                        can.diskLimit() ? DISK : "")
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(","));
    }

    /** What holds wherever a sandbox is placed. */
    static Capabilities onAll(List<HostRow> hosts) {
        var words = hosts.stream().map(row -> Set.of(row.enforces.split(","))).toList();
        return new Capabilities(
                all(words, USERS), all(words, MEMORY), all(words, PIDS), all(words, CPU), all(words, DISK), List.of());
    }

    private static boolean all(List<Set<String>> words, String word) {
        return words.stream().allMatch(known -> known.contains(word));
    }
}
