package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Volume;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.RelaySockets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a sandbox's container may use and what it sees. */
final class ContainerRecipe {
    static final String DATA = "/.data";
    static final String AGENT = "/.bivouac/bivouac-agent";

    /** First on the PATH. */
    static final String COMMANDS = "/.bivouac/bin";

    static final long PIDS_LIMIT = 512;

    /** Keeps a container without an agent running, and ends at once when asked to. */
    private static final List<String> IDLE =
            List.of("/bin/sh", "-c", "trap 'exit 0' TERM INT; while :; do sleep 3600 & wait $!; done");

    /** What the agent needs to run commands as other users and to end them. */
    private static final Capability[] AGENT_CAPABILITIES = {
        Capability.SETUID,
        Capability.SETGID,
        Capability.SETPCAP,
        Capability.KILL,
        Capability.CHOWN,
        Capability.DAC_OVERRIDE,
        Capability.FOWNER
    };

    /** A sandbox that talks without end fills its own log only. */
    private static final Map<String, String> LOG_BOUND = Map.of("max-size", "10m", "max-file", "2");

    private static final double NANOS = 1e9;

    private ContainerRecipe() {}

    static Map<String, String> environment(InstanceSpec spec) {
        var environment = new LinkedHashMap<>(spec.template().envs());
        environment.putAll(spec.envs());
        return environment;
    }

    static List<String> asList(Map<String, String> environment) {
        return environment.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    /** The first process: the agent, or else the start command itself. */
    static List<String> command(InstanceSpec spec, Optional<AgentFiles> agent) {
        if (agent.isPresent()) {
            return List.of(AGENT, "serve", "--config", RunFolder.INSIDE + "/agent.json");
        }
        return spec.template().startCommand().isEmpty() ? IDLE : spec.template().startCommand();
    }

    static HostConfig host(InstanceSpec spec, String volume, Optional<AgentFiles> agent, Path runFolder) {
        var resources = spec.resources();
        return HostConfig.newHostConfig()
                .withNetworkMode("none")
                .withBinds(binds(spec, volume, agent, runFolder))
                .withMemory(resources.memoryBytes())
                // The same number: no swap on top.
                .withMemorySwap(resources.memoryBytes())
                .withNanoCPUs((long) (resources.cpu() * NANOS))
                .withPidsLimit(PIDS_LIMIT)
                .withSecurityOpts(List.of("no-new-privileges"))
                .withCapDrop(Capability.ALL)
                .withCapAdd(AGENT_CAPABILITIES)
                .withLogConfig(new LogConfig(LogConfig.LoggingType.JSON_FILE, LOG_BOUND));
    }

    /**
     * The volume is mounted twice and /workspace is its root. A folder inside it as the source of a bind mount
     * would be looked up by the engine on the host at each start, and a sandbox that had replaced it by a
     * link would get any folder of the host.
     */
    private static List<Bind> binds(InstanceSpec spec, String volume, Optional<AgentFiles> agent, Path runFolder) {
        var binds = new ArrayList<Bind>();
        binds.add(new Bind(volume, new Volume(Workload.WORKSPACE)));
        binds.add(new Bind(volume, new Volume(DATA)));
        agent.ifPresent(files -> {
            binds.add(readOnly(files.binary(), AGENT));
            binds.add(readOnly(files.binary(), COMMANDS + "/bivouac-ask"));
            binds.add(readOnly(runFolder, RunFolder.INSIDE));
            binds.add(readOnly(
                    new RelaySockets(files.socketFolder()).of(spec.id()), RunFolder.INSIDE + "/" + RunFolder.RELAY));
            spec.template()
                    .hooks()
                    .forEach(hooks -> binds.add(readOnly(
                            runFolder.resolve(RunFolder.HOOKS).resolve(hooks.folder()), "/etc/" + hooks.folder())));
        });
        return binds;
    }

    private static Bind readOnly(Path source, String target) {
        return new Bind(source.toString(), new Volume(target), AccessMode.ro);
    }
}
