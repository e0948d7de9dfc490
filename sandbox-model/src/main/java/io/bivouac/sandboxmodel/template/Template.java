package io.bivouac.sandboxmodel.template;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a sandbox starts from.
 *
 * @param roots for each runtime's name the root it uses: {@code host}, a folder with an unpacked tree, or an image
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

    public @Nullable String rootFor(String runtime) {
        return roots.get(runtime);
    }
}
