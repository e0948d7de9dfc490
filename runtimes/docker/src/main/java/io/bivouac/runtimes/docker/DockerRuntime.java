package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.StripedLocks;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.Check;
import io.bivouac.sandboxmodel.runtime.HostFolders;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.runtime.PausableInstances;
import io.bivouac.sandboxmodel.runtime.RelaySockets;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.Usage;
import io.bivouac.sandboxmodel.template.Template;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Sandboxes as containers of a Docker engine. */
public final class DockerRuntime implements SandboxRuntime, AutoCloseable {
    static final String NAME = "docker";

    private static final int LOCKS = 64;
    private static final double NANOS = 1e9;

    private final Engine engine;
    private final Optional<AgentFiles> agent;
    private final Images images;
    private final Containers containers;
    private final ContainerMaker maker;
    private final DataVolumes volumes;
    private final RunFolder runFolders;
    private final StripedLocks locks = new StripedLocks(LOCKS);

    /** @param agent empty to run images that bring no agent and get none: the start command is their first process */
    public DockerRuntime(DockerSettings settings, Optional<AgentFiles> agent, Installation installation) {
        this.engine = new Engine(settings);
        this.agent = agent;
        this.images = new Images(engine, settings.pull());
        this.containers = new Containers(engine, installation);
        this.maker = new ContainerMaker(engine, containers, agent, installation);
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

    /** Only whether there is the image: what is in it is the image's own promise. */
    @Override
    public Optional<String> whyMissing(Template template) {
        return images.whyMissing(template);
    }

    @Override
    public void check() {
        engine.check();
        agent.ifPresent(DockerRuntime::check);
    }

    @Override
    public List<Check> examine() {
        return examine(engine);
    }

    /** The same without a runtime: whether the engine at this address can be used. */
    public static List<Check> examine(String host) {
        try (var engine = new Engine(new DockerSettings(host, Path.of("."), DockerSettings.Pull.NEVER))) {
            return examine(engine);
        }
    }

    private static List<Check> examine(Engine engine) {
        try {
            engine.check();
            return List.of(Check.fine("docker engine", "it answers at " + engine.host() + ", and speaks our API"));
        } catch (RuntimeFailure failed) {
            return List.of(Check.wrong(
                    "docker engine",
                    failed.getMessage(),
                    "No sandbox can be made.",
                    "systemctl start docker, and let this user use its socket: usermod -aG docker "
                            + System.getProperty("user.name")));
        }
    }

    private static void check(AgentFiles files) {
        if (!Files.isExecutable(files.binary())) {
            throw new RuntimeFailure("The agent is not at " + files.binary() + ", or not executable.");
        }
    }

    @Override
    public Instance create(InstanceSpec spec) {
        return locks.holding(spec.id(), () -> {
            var image = images.of(spec.template());
            // The engine would make an empty folder in its place.
            agent.ifPresent(DockerRuntime::check);
            var existing = containers.find(spec.id());
            if (agent.isPresent()) {
                runFolders.write(spec, Images.environment(image));
            }
            agent.ifPresent(files -> new RelaySockets(files.socketFolder()).make(spec.id()));
            if (existing.isPresent() && existing.get().getImageId().equals(image.getId())) {
                return Containers.instance(spec.id(), existing.get());
            }
            existing.ifPresent(outdated -> {
                containers.resume(spec.id(), outdated);
                containers.remove(spec.id(), outdated.getId());
            });
            var volume = existing.map(DockerRuntime::volume).orElseGet(() -> volumes.claim(spec));
            var container = maker.make(spec, image.getId(), volume, runFolders.of(spec.id()));
            if (spec.workspaceOf() != null && !containers.isFirstWith(volume, container)) {
                containers.remove(spec.id(), container.getId());
                throw new RuntimeFailure(
                        "The kept data of " + spec.workspaceOf() + " was taken over by another sandbox.");
            }
            volumes.claimed(spec);
            return Containers.instance(spec.id(), container);
        });
    }

    private static boolean byAgent(InspectContainerResponse container) {
        return Boolean.parseBoolean(Containers.labels(container).get(ContainerMaker.AGENT_LABEL));
    }

    private static String volume(InspectContainerResponse container) {
        return Containers.labels(container).get(DataVolumes.VOLUME_LABEL);
    }

    @Override
    public void start(SandboxId id) {
        var container = containers.require(id);
        if (byAgent(container)) {
            runFolders.check(id);
            agent.ifPresent(files -> new RelaySockets(files.socketFolder()).make(id));
        }
        containers.resume(id, container);
        containers.start(id, container.getId());
    }

    @Override
    public void stop(SandboxId id, Duration grace) {
        var container = containers.require(id);
        containers.resume(id, container);
        containers.stop(id, container.getId(), grace);
    }

    @Override
    public void remove(SandboxId id, boolean keepData) {
        locks.holding(id, () -> {
            var found = containers.find(id);
            found.ifPresent(container -> {
                if (keepData) {
                    volumes.keep(id, Containers.labels(container).get(Labels.PROJECT), volume(container));
                }
                containers.resume(id, container);
                containers.remove(id, container.getId());
                if (!keepData) {
                    volumes.removeVolume(volume(container));
                }
            });
            if (!keepData) {
                volumes.remove(id);
            }
            runFolders.remove(id);
            agent.ifPresent(files -> new RelaySockets(files.socketFolder()).remove(id));
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
        return new ContainerLogs(engine).read(container.getId(), query, byAgent(container));
    }

    @Override
    public Usage stats(SandboxId id) {
        var container = containers.require(id);
        var limits = container.getHostConfig();
        double cpu = limits.getNanoCPUs() / NANOS;
        var disk = new Usage.Bytes(
                volumes.size(volume(container)),
                Long.parseLong(Containers.labels(container).get(ContainerMaker.DISK_LABEL)));
        if (!Boolean.TRUE.equals(container.getState().getRunning())) {
            return new Usage(
                    new Usage.Cpu(0, cpu), new Usage.Bytes(0, limits.getMemory()), disk, new Usage.Network(0, 0), 0);
        }
        return new ContainerStats(engine).measure(container.getId(), cpu, limits.getMemory(), disk);
    }

    @Override
    public Optional<PausableInstances> pausableInstances() {
        return Optional.of(new PausableContainers(containers));
    }

    @Override
    public Optional<HostFolders> hostFolders() {
        return Optional.of(new VolumeFolders(containers));
    }

    @Override
    public void close() {
        engine.close();
    }
}
