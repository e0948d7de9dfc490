package io.bivouac.runtimes.bubblewrap;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.runtimes.bubblewrap.cgroup.Cgroups;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.HashMap;
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
    /** The same instance in an owner's hands. */
    InstanceFile ownedBy(InstanceSpec spec, Instant now) {
        var ownersLabels = new HashMap<>(labels);
        ownersLabels.put(Labels.PROJECT, spec.project());
        return new InstanceFile(
                id,
                spec.project(),
                root,
                etc,
                commands,
                ownersLabels,
                now,
                disk,
                spec.resources().cpu(),
                spec.resources().memoryBytes(),
                diskBytes,
                pids);
    }

    SandboxId sandbox() {
        return new SandboxId(id);
    }

    Cgroups.Limits limits() {
        return new Cgroups.Limits(cpu, memoryBytes, pids);
    }
}
