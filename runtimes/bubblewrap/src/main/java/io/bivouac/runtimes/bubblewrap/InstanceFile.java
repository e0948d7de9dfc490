package io.bivouac.runtimes.bubblewrap;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.runtimes.bubblewrap.cgroup.Cgroups;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Map;

/**
 * What is written down about an instance; as long as this file exists, the instance does.
 *
 * @param root {@code host} or the path of a tree
 * @param etc the folder of the files of /etc that it sees
 * @param commands the folder of links to the commands that its template promises
 * @param disk the id of its disk
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record InstanceFile(
        String id,
        String project,
        String root,
        String etc,
        String commands,
        Map<String, String> labels,
        Instant createdAt,
        String disk,
        double cpu,
        long memoryBytes,
        long diskBytes,
        long pids) {
    SandboxId sandbox() {
        return new SandboxId(id);
    }

    Cgroups.Limits limits() {
        return new Cgroups.Limits(cpu, memoryBytes, pids);
    }
}
