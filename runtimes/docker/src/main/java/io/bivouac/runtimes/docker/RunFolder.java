package io.bivouac.runtimes.docker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the agent of one sandbox reads: its configuration and its token, on this machine's disk. */
final class RunFolder {
    static final String INSIDE = "/run/bivouac";
    static final String RELAY = "relay";

    /** What makes programs ask for permission; everybody inside may read it, at places of its own. */
    static final String HOOKS = "hooks";

    private static final String CONFIGURATION = "agent.json";
    private static final String TOKEN = "token";
    private static final String PATH_OF_IMAGES_WITHOUT_ONE =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path all;

    RunFolder(Path dataFolder) {
        this.all = dataFolder.resolve("docker").resolve("run");
    }

    Path of(SandboxId id) {
        return all.resolve(id.value());
    }

    /** Writes both files anew, so that a sandbox that is taken over shows its present token. */
    Path write(InstanceSpec spec, Map<String, String> imageEnvironment) {
        var folder = of(spec.id());
        try {
            Files.createDirectories(
                    all, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.createDirectories(folder.resolve(RELAY));
            // Only the agent passes: the relay's socket is in it, and is no business of the workload.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            replace(folder.resolve(TOKEN), spec.joinToken());
            for (var file : ManagedHooks.files(spec.template().hooks()).entrySet()) {
                writeReadable(folder.resolve(HOOKS).resolve(file.getKey()), file.getValue());
            }
            replace(folder.resolve(CONFIGURATION), JSON.writeValueAsString(configuration(spec, imageEnvironment)));
            return folder;
        } catch (IOException e) {
            throw new RuntimeFailure("Could not write the agent's configuration in " + folder + ": " + e, e);
        }
    }

    /** The engine would put an empty folder in its place. */
    void check(SandboxId id) {
        if (!Files.exists(of(id).resolve(CONFIGURATION))) {
            throw new RuntimeFailure("The run folder " + of(id) + " is gone; create " + id + " again to start it.");
        }
    }

    void remove(SandboxId id) {
        var folder = of(id);
        try {
            for (var hooks : ManagedHooks.values()) {
                for (var file : ManagedHooks.files(List.of(hooks)).keySet()) {
                    Files.deleteIfExists(folder.resolve(HOOKS).resolve(file));
                }
                Files.deleteIfExists(folder.resolve(HOOKS).resolve(hooks.folder()));
            }
            for (var name : new String[] {TOKEN, CONFIGURATION, RELAY, HOOKS, "."}) {
                Files.deleteIfExists(folder.resolve(name).normalize());
            }
        } catch (IOException e) {
            throw new RuntimeFailure("Could not remove " + folder + ": " + e, e);
        }
    }

    private static Map<String, Object> configuration(InstanceSpec spec, Map<String, String> imageEnvironment) {
        var environment = new LinkedHashMap<String, String>();
        environment.put("PATH", PATH_OF_IMAGES_WITHOUT_ONE);
        environment.putAll(imageEnvironment);
        environment.putAll(ContainerRecipe.environment(spec));
        environment.compute("PATH", (_, path) -> ContainerRecipe.COMMANDS + ":" + path);
        var workload = new LinkedHashMap<String, Object>();
        workload.put("uid", Workload.UID);
        workload.put("gid", Workload.GID);
        workload.put("user", Workload.NAME);
        workload.put("home", Workload.HOME);
        workload.put("shell", null);
        var configuration = new LinkedHashMap<String, Object>();
        configuration.put("sandboxId", spec.id().value());
        configuration.put("tokenFile", INSIDE + "/" + TOKEN);
        configuration.put("relay", Map.of("socketFolder", INSIDE + "/" + RELAY));
        configuration.put("workload", workload);
        configuration.put("cwd", Workload.WORKSPACE);
        configuration.put("env", environment);
        var start = spec.template().startCommand();
        configuration.put("startCommand", start.isEmpty() ? null : start);
        configuration.put("logFile", null);
        configuration.put("guards", Map.of("nestedSandbox", spec.nestedSandbox()));
        return configuration;
    }

    private static void writeReadable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
        replace(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    /** By renaming: a reader sees the old file or the new one, and no link is followed. */
    private static void replace(Path file, String text) throws IOException {
        var fresh = Files.createTempFile(
                file.getParent(),
                file.getFileName().toString(),
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(fresh, text.getBytes(StandardCharsets.UTF_8));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
