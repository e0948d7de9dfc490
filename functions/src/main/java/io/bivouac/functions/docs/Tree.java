package io.bivouac.functions.docs;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes the maps and lists that a description is made of. */
final class Tree {
    private Tree() {}

    /** The map under this key, made where there is none. */
    static Map<String, Object> inside(Map<String, Object> outer, String key) {
        return map(outer.computeIfAbsent(key, _ -> new LinkedHashMap<String, Object>()));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    static Collection<?> list(Object value) {
        return value instanceof Collection<?> list ? list : List.of();
    }

    static Map<String, Object> ordered(Object... pairs) {
        var ordered = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) {
            ordered.put((String) pairs[i], pairs[i + 1]);
        }
        return ordered;
    }
}
