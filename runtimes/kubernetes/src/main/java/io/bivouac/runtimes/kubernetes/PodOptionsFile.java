package io.bivouac.runtimes.kubernetes;

import io.bivouac.runtimes.kubernetes.KubernetesSettings.Workspace;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of all templates' Pods, from YAML: a map under {@code pods} from the template's name, or {@code *} for all
 * that are not named. An unknown key is an error.
 */
final class PodOptionsFile {
    private static final String ALL_OTHERS = "*";
    private static final Set<String> KEYS =
            Set.of("runtimeClass", "nodeSelector", "tolerations", "workspace", "storageClass", "userNamespace");
    private static final Set<String> TOLERATION_KEYS = Set.of("key", "operator", "value", "effect");

    private final @Nullable Path file;
    private final PodOptions usual;
    private final Map<String, PodOptions> named = new HashMap<>();

    private PodOptionsFile(@Nullable Path file, PodOptions usual) {
        this.file = file;
        this.usual = usual;
    }

    static PodOptionsFile read(KubernetesSettings settings) {
        var options = new PodOptionsFile(settings.getPods(), PodOptions.of(settings));
        if (settings.getPods() != null) {
            options.load(settings.getPods());
        }
        return options;
    }

    PodOptions of(String template) {
        return named.getOrDefault(template, named.getOrDefault(ALL_OTHERS, usual));
    }

    private void load(Path path) {
        try {
            var content = new KubernetesSerialization().unmarshal(Files.readString(path), Object.class);
            map(map(content, "the file").get("pods"), "pods")
                    .forEach((template, entry) -> named.put(template, options(template, map(entry, template))));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private PodOptions options(String template, Map<String, Object> entry) {
        for (var key : entry.keySet()) {
            if (!KEYS.contains(key)) {
                throw wrong(template + " has an unknown key " + key);
            }
        }
        return new PodOptions(
                text(entry, "runtimeClass", null),
                texts(map(entry.get("nodeSelector"), "nodeSelector")),
                list(entry.get("tolerations"), "tolerations").stream()
                        .map(one -> toleration(template, map(one, "a toleration")))
                        .toList(),
                workspace(template, text(entry, "workspace", null)),
                text(entry, "storageClass", usual.storageClass()),
                "true".equals(text(entry, "userNamespace", "false")));
    }

    private Workspace workspace(String template, @Nullable String given) {
        try {
            return given == null ? usual.workspace() : Workspace.valueOf(given.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw wrong(template + " has a workspace " + given + "; it can be pod or volume");
        }
    }

    private Toleration toleration(String template, Map<String, Object> entry) {
        if (!TOLERATION_KEYS.containsAll(entry.keySet())) {
            throw wrong(template + " has a toleration with something else than " + List.copyOf(TOLERATION_KEYS));
        }
        return new TolerationBuilder()
                .withKey(text(entry, "key", null))
                .withOperator(text(entry, "operator", null))
                .withValue(text(entry, "value", null))
                .withEffect(text(entry, "effect", null))
                .build();
    }

    private Map<String, Object> map(@Nullable Object value, String what) {
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> given)) {
            throw wrong(what + " must be a map");
        }
        return given.entrySet().stream()
                .filter(entry -> entry.getValue() != null)
                .collect(Collectors.toMap(entry -> String.valueOf(entry.getKey()), Map.Entry::getValue));
    }

    private List<?> list(@Nullable Object value, String what) {
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> given) {
            return given;
        }
        throw wrong(what + " must be a list");
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(file + ": " + why);
    }

    private static Map<String, String> texts(Map<String, Object> entry) {
        return entry.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, one -> String.valueOf(one.getValue())));
    }

    private static @Nullable String text(Map<String, Object> entry, String key, @Nullable String otherwise) {
        var value = entry.get(key);
        return value == null ? otherwise : value.toString();
    }
}
