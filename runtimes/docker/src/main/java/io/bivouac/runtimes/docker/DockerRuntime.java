package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.ConflictException;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.runtime.Capabilities;
import io.bivouac.sandboxes.runtime.ExecOptions;
import io.bivouac.sandboxes.runtime.ExecResult;
import io.bivouac.sandboxes.runtime.Installation;
import io.bivouac.sandboxes.runtime.Instance;
import io.bivouac.sandboxes.runtime.InstanceSpec;
import io.bivouac.sandboxes.runtime.Labels;
import io.bivouac.sandboxes.runtime.LogLine;
import io.bivouac.sandboxes.runtime.LogQuery;
import io.bivouac.sandboxes.runtime.RuntimeFailure;
import io.bivouac.sandboxes.runtime.SandboxRuntime;
import io.bivouac.sandboxes.runtime.Usage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Sandboxes as containers of a Docker engine. */
public final class DockerRuntime implements SandboxRuntime, AutoCloseable {
    static final String NAME = "docker";

    /** What the engine has no field for. */
    static final String DISK_LABEL = "bivouac.disk";

    static final String PORTS_LABEL = "bivouac.ports";

    /** Whether the first process is an agent, whose log lines name their stream. */
    private static final String AGENT_LABEL = "bivouac.agent";

    private static final double NANOS = 1e9;

    private final Engine engine;
    private final Installation installation;
    private final Optional<AgentFiles> agent;
    private final Images images;
    private final Containers containers;
    private final DataVolumes volumes;
    private final RunFolder runFolders;
    private final SandboxLocks locks = new SandboxLocks();

    /** @param agent empty to run images that bring no agent and get none: the start command is their first process */
    public DockerRuntime(DockerSettings settings, Optional<AgentFiles> agent, Installation installation) {
        this.engine = new Engine(settings);
        this.installation = installation;
        this.agent = agent;
        this.images = new Images(engine, settings.pull());
        this.containers = new Containers(engine, installation);
        this.volumes = new DataVolumes(engine, installation);
        this.runFolders = new RunFolder(settings.dataFolder());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                true,
                true,
                true,
                true,
                false,
                List.of("The limit on disk space is not enforced: Docker's local volumes have no size."));
    }

    @Override
    public void check() {
        engine.check();
        agent.ifPresent(files -> {
            if (!Files.isExecutable(files.binary())) {
                throw new RuntimeFailure("The agent is not at " + files.binary() + ", or not executable.");
            }
        });
    }

    @Override
    public Instance create(InstanceSpec spec) {
        return locks.holding(spec.id(), () -> {
            var image = images.of(spec.template());
            // The engine would make an empty folder in its place.
            agent.ifPresent(files -> check());
            var existing = containers.find(spec.id());
            var runFolder = runFolders.of(spec.id());
            if (agent.isPresent()) {
                runFolders.write(spec, Images.environment(image));
            }
            if (existing.isPresent() && existing.get().getImageId().equals(image.getId())) {
                return Containers.instance(spec.id(), existing.get());
            }
            existing.ifPresent(outdated -> containers.remove(spec.id(), outdated.getId()));
            var volume = existing.map(DockerRuntime::volume).orElseGet(() -> volumes.claim(spec));
            var container = make(spec, image.getId(), volume, runFolder);
            volumes.claimed(spec);
            return Containers.instance(spec.id(), container);
        });
    }

    private InspectContainerResponse make(InstanceSpec spec, String image, String volume, Path runFolder) {
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
                        .withHostConfig(ContainerRecipe.host(spec, volume, agent, runFolder))
                        .exec()
                        .getId();
                try {
                    docker.copyArchiveToContainerCmd(id)
                            .withRemotePath("/")
                            .withTarInputStream(WorkloadFolders.archive())
                            .exec();
                } catch (RuntimeException failed) {
                    containers.remove(spec.id(), id);
                    throw failed;
                }
            } catch (ConflictException e) {
                // Another process of this installation was faster, or it is not ours at all.
                return containers.find(spec.id()).orElseThrow(() -> e);
            }
            return containers.require(spec.id());
        });
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

    private static String volume(InspectContainerResponse container) {
        return Containers.labels(container).get(DataVolumes.VOLUME_LABEL);
    }

    @Override
    public void start(SandboxId id) {
        containers.start(id, containers.require(id).getId());
    }

    @Override
    public void stop(SandboxId id, Duration grace) {
        containers.stop(id, containers.require(id).getId(), grace);
    }

    @Override
    public void remove(SandboxId id, boolean keepData) {
        locks.holding(id, () -> {
            var found = containers.find(id);
            found.ifPresent(container -> {
                if (keepData) {
                    volumes.keep(id, Containers.labels(container).get(Labels.PROJECT), volume(container));
                }
                containers.remove(id, container.getId());
                if (!keepData) {
                    volumes.removeVolume(volume(container));
                }
            });
            if (!keepData) {
                volumes.remove(id);
            }
            runFolders.remove(id);
            return found;
        });
    }

    @Override
    public Optional<Instance> get(SandboxId id) {
        return containers.find(id).map(container -> Containers.instance(id, container));
    }

    @Override
    public List<Instance> list() {
        return containers.list();
    }

    @Override
    public List<KeptData> keptData() {
        return volumes.list();
    }

    @Override
    public void removeKeptData(SandboxId id) {
        volumes.remove(id);
    }

    @Override
    public List<LogLine> logs(SandboxId id, LogQuery query) {
        var container = containers.require(id);
        boolean byAgent = Boolean.parseBoolean(Containers.labels(container).get(AGENT_LABEL));
        return new ContainerLogs(engine).read(container.getId(), query, byAgent);
    }

    @Override
    public Usage stats(SandboxId id) {
        var container = containers.require(id);
        var limits = container.getHostConfig();
        double cpu = limits.getNanoCPUs() / NANOS;
        var disk = new Usage.Bytes(
                volumes.size(volume(container)),
                Long.parseLong(Containers.labels(container).get(DISK_LABEL)));
        if (!Boolean.TRUE.equals(container.getState().getRunning())) {
            return new Usage(
                    new Usage.Cpu(0, cpu), new Usage.Bytes(0, limits.getMemory()), disk, new Usage.Network(0, 0), 0);
        }
        return new ContainerStats(engine).measure(container.getId(), cpu, limits.getMemory(), disk);
    }

    @Override
    public ExecResult exec(SandboxId id, List<String> argv, ExecOptions options) {
        return new ContainerExec(engine).run(id, containers.require(id).getId(), argv, options);
    }

    /** The shell that a terminal in this sandbox should run. */
    public String shell(SandboxId id) {
        return new ShellDetection(argv -> exec(id, argv, ExecOptions.defaults())).shell();
    }

    @Override
    public void close() {
        engine.close();
    }
}
