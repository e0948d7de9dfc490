package io.bivouac.functions;

import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads an OpenAPI description. */
final class Described {
    private Described() {}

    /** The operations of each path, by method. */
    static Map<String, Map<String, Map<String, Object>>> paths(String yaml) {
        Map<String, Map<String, Map<String, Map<String, Object>>>> whole =
                new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
        return whole.get("paths");
    }

    @SuppressWarnings("unchecked")
    static Set<String> statuses(Map<String, Object> operation) {
        return ((Map<String, Object>) operation.get("responses")).keySet();
    }
}
