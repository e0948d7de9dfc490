package io.bivouac.functions.docs;

import io.bivouac.sandboxmodel.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Each service's build describes its own routes; a process that serves several gives one description. */
final class MergedDescription {
    private static final String[] PARTS = {
        "META-INF/swagger/functions.yml",
        "META-INF/swagger/shared.yml",
        "META-INF/swagger/http-doors.yml",
        "META-INF/swagger/sandbox-io.yml",
        "META-INF/swagger/sessions.yml",
        "META-INF/swagger/terminal-relay.yml",
        "META-INF/swagger/webhooks.yml"
    };

    private MergedDescription() {}

    /** @param refusals by operationId: the errors that only the operation itself knows of */
    static String fromClasspath(Map<String, Set<ErrorCode>> refusals) {
        var merged = new LinkedHashMap<String, Object>();
        for (var part : PARTS) {
            try (var yaml = MergedDescription.class.getClassLoader().getResourceAsStream(part)) {
                if (yaml != null) {
                    merge(merged, new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml));
                }
            } catch (IOException unreadable) {
                throw new UncheckedIOException("cannot read " + part, unreadable);
            }
        }
        Refinements.addTo(merged);
        ProblemResponses.addTo(merged, refusals);
        var style = new DumperOptions();
        style.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        return new Yaml(style).dump(merged);
    }

    /** Adds what is missing, at any depth; what is there stays. */
    @SuppressWarnings("unchecked")
    private static void merge(Map<String, Object> into, Map<String, Object> from) {
        from.forEach((key, value) -> {
            var present = into.get(key);
            if (present instanceof Map && value instanceof Map) {
                merge((Map<String, Object>) present, (Map<String, Object>) value);
            } else {
                into.putIfAbsent(key, value);
            }
        });
    }
}
