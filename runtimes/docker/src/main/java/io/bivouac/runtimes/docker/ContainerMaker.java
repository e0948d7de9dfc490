package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.Volume;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.Labels;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes a sandbox's container, ready to start. */
final class ContainerMaker {
    /** What the engine has no field for. */
    static final String DISK_LABEL = "bivouac.disk";

    static final String PORTS_LABEL = "bivouac.ports";

    /** Whether the first process is an agent, whose log lines name their stream. */
    static final String AGENT_LABEL = "bivouac.agent";

    private final Engine engine;
    private final Containers containers;
    private final Optional<AgentFiles> agent;
    private final Installation installation;

    ContainerMaker(Engine engine, Containers containers, Optional<AgentFiles> agent, Installation installation) {
        this.engine = engine;
        this.containers = containers;
        this.agent = agent;
        this.installation = installation;
    }

    InspectContainerResponse make(InstanceSpec spec, String image, String volume, Path runFolder) {
        return engine.call("create " + spec.id(), docker -> {
            try {
                var id = docker.createContainerCmd(image)
                        .withName(Containers.name(spec.id()))
                        .withHostName(Workload.NAME)
                        .withLabels(labels(spec, volume))
                        .withEnv(ContainerRecipe.asList(ContainerRecipe.environment(spec)))
                        .withUser(agent.isPresent() ? "0:0" : Workload.USER)
                        .withWorkingDir(Workload.WORKSPACE)
                        .withEntrypoint(ContainerRecipe.command(spec, agent))
                        // Without a name: ends with the container.
                        .withVolumes(new Volume(Workload.HOME))
                        // What an image may set otherwise, and must not.
                        .withStopSignal("SIGTERM")
                        .withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
                        .withHostConfig(ContainerRecipe.host(spec, volume, agent, runFolder))
                        .exec()
                        .getId();
                var made = containers.require(spec.id());
                if (!WorkloadFolders.chown(made)) {
                    unpackFolders(docker, spec.id(), id);
                }
                return made;
            } catch (ConflictException e) {
                // Another process of this installation was faster, or it is not ours at all.
                return containers.find(spec.id()).orElseThrow(() -> e);
            }
        });
    }

    private void unpackFolders(DockerClient docker, SandboxId id, String container) {
        try {
            docker.copyArchiveToContainerCmd(container)
                    .withRemotePath("/")
                    .withTarInputStream(WorkloadFolders.archive())
                    .exec();
        } catch (RuntimeException failed) {
            containers.remove(id, container);
            throw failed;
        }
    }

    private Map<String, String> labels(InstanceSpec spec, String volume) {
        var labels = new HashMap<>(Labels.of(spec, installation));
        labels.put(DataVolumes.VOLUME_LABEL, volume);
        labels.put(DISK_LABEL, Long.toString(spec.resources().diskBytes()));
        labels.put(AGENT_LABEL, Boolean.toString(agent.isPresent()));
        labels.put(
                PORTS_LABEL,
                spec.template().ports().stream().map(String::valueOf).collect(Collectors.joining(",")));
        return labels;
    }
}
