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

    /** A field of one of the schemas. */
    static Map<String, Object> property(String yaml, String schema, String field) {
        Map<String, Map<String, Map<String, Map<String, Map<String, Map<String, Object>>>>>> whole =
                new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
        return whole.get("components")
                .get("schemas")
                .get(schema)
                .get("properties")
                .get(field);
    }

    @SuppressWarnings("unchecked")
    static Set<String> statuses(Map<String, Object> operation) {
        return ((Map<String, Object>) operation.get("responses")).keySet();
    }
}
