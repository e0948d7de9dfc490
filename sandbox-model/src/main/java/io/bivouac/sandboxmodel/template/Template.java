package io.bivouac.sandboxmodel.template;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a sandbox starts from.
 *
 * @param roots for each runtime's name the root it uses: {@code host}, a folder with an unpacked tree, an image, or
 *     {@code built}
 * @param startCommand runs in the background from the start; empty for none
 * @param commands what the template promises: for each command the places where a root may have it, the best first
 * @param versions for some of these commands the version that is promised, as far as it is given: {@code 3.11}
 * @param hooks programs that ask a person before they act
 * @param egress the hosts that its sandboxes may reach, unless a create says otherwise
 * @param maxLifetime from a sandbox's making to the latest end that use of it gives it
 * @param warm how many of its sandboxes are started ahead; null where the server's setting decides
 */
public record Template(
        String name,
        String description,
        Map<String, String> roots,
        Map<String, String> envs,
        List<Integer> ports,
        Resources resources,
        List<String> startCommand,
        Map<String, List<String>> commands,
        Map<String, String> versions,
        List<ManagedHooks> hooks,
        EgressPolicy egress,
        Duration maxLifetime,
        @Nullable WarmRange warm) {
    public static final Duration DEFAULT_MAX_LIFETIME = Duration.ofHours(24);
    public static final String DEFAULT = "default";
    public static final String HOST_ROOT = "host";

    /** The root of one whose tree or image somebody has to build first. */
    public static final String TO_BE_BUILT = "built";

    public Template {
        roots = Map.copyOf(roots);
        envs = Map.copyOf(envs);
        ports = List.copyOf(ports);
        startCommand = List.copyOf(startCommand);
        commands = Map.copyOf(commands);
        versions = Map.copyOf(versions);
        hooks = List.copyOf(hooks);
    }

    /** One with the usual bound on the life of its sandboxes, and nothing said of warm starts. */
    public Template(
            String name,
            String description,
            Map<String, String> roots,
            Map<String, String> envs,
            List<Integer> ports,
            Resources resources,
            List<String> startCommand,
            Map<String, List<String>> commands,
            Map<String, String> versions,
            List<ManagedHooks> hooks,
            EgressPolicy egress) {
        this(
                name,
                description,
                roots,
                envs,
                ports,
                resources,
                startCommand,
                commands,
                versions,
                hooks,
                egress,
                DEFAULT_MAX_LIFETIME,
                null);
    }

    /** One that promises no versions, asks nobody and reaches nothing. */
    public Template(
            String name,
            String description,
            Map<String, String> roots,
            Map<String, String> envs,
            List<Integer> ports,
            Resources resources,
            List<String> startCommand,
            Map<String, List<String>> commands) {
        this(
                name,
                description,
                roots,
                envs,
                ports,
                resources,
                startCommand,
                commands,
                Map.of(),
                List.of(),
                EgressPolicy.NOTHING);
    }

    public boolean isToBeBuilt() {
        return roots.containsValue(TO_BE_BUILT);
    }

    /** How somebody gets it, where this runtime has nothing of it yet. */
    public Optional<String> howToBuild(String runtime) {
        return TO_BE_BUILT.equals(roots.get(runtime))
                ? Optional.of("The template " + name + " is not built yet. On the server's machine: "
                        + "bivouac template build " + name)
                : Optional.empty();
    }

    public Template withRoots(Map<String, String> others) {
        return new Template(
                name,
                description,
                others,
                envs,
                ports,
                resources,
                startCommand,
                commands,
                versions,
                hooks,
                egress,
                maxLifetime,
                warm);
    }

    public @Nullable String rootFor(String runtime) {
        return roots.get(runtime);
    }
}
