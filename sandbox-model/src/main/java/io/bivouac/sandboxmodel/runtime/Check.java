package io.bivouac.sandboxmodel.runtime;

import io.micronaut.core.annotation.Nullable;

/**
 * One thing that was looked at on a machine.
 *
 * @param seen what was found, in one line
 * @param costs what does not work or is not enforced because of it; null when all is well
 * @param remedy the command or setting that mends it; null when all is well
 */
public record Check(
        String name,
        boolean ok,
        String seen,
        @Nullable String costs,
        @Nullable String remedy) {
    public Check {
        if (ok != (costs == null) || ok != (remedy == null)) {
            throw new IllegalArgumentException("what is wrong has a cost and a remedy, and only that: " + name);
        }
    }

    public static Check fine(String name, String seen) {
        return new Check(name, true, seen, null, null);
    }

    public static Check wrong(String name, String seen, String costs, String remedy) {
        return new Check(name, false, seen, costs, remedy);
    }
}
