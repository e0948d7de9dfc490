package io.bivouac.runtimes.bubblewrap;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What isolates a sandbox. All on, except in tests that show what each of them is for.
 *
 * @param off those that are missing
 */
record Guards(Set<Guard> off) {
    static final Guards ALL = new Guards(Set.of());

    /** As the supervisor reads them. */
    Map<String, Boolean> outer() {
        return named(true);
    }

    /** As the agent reads them. */
    Map<String, Boolean> inner() {
        return named(false);
    }

    private Map<String, Boolean> named(boolean outer) {
        var named = new TreeMap<String, Boolean>();
        for (var guard : Guard.values()) {
            if (guard.isOuter() == outer) {
                named.put(guard.key(), !off.contains(guard));
            }
        }
        return named;
    }
}
