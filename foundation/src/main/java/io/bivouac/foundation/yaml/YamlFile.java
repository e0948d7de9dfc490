package io.bivouac.foundation.yaml;

import io.micronaut.core.annotation.Nullable;
import java.io.Reader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A file that an operator wrote: what in it has another shape than it should is an error that names the file. */
public record YamlFile(String source) {
    public Object load(Reader yaml) {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    }

    /** Empty when there is none. */
    public Map<String, Object> map(@Nullable Object value, String what) {
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> given)) {
            throw wrong(what + " must be a map");
        }
        var typed = new LinkedHashMap<String, Object>();
        given.forEach((key, entry) -> typed.put(key.toString(), entry));
        return typed;
    }

    /** Empty when there is none. */
    public List<?> list(@Nullable Object value, String what) {
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> given) {
            return given;
        }
        throw wrong(what + " must be a list");
    }

    public IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(source + ": " + why);
    }
}
