package io.bivouac.sandboxmodel.runtime;

import java.util.List;

/**
 * What a runtime can do here.
 *
 * @param users whether a command can run as another user than the default one
 * @param memoryLimit whether the limit on memory is enforced; the other limits likewise
 * @param notes one sentence for each thing that is not enforced, and why
 */
public record Capabilities(
        boolean users,
        boolean memoryLimit,
        boolean pidsLimit,
        boolean cpuLimit,
        boolean diskLimit,
        List<String> notes) {
    public Capabilities {
        notes = List.copyOf(notes);
    }

    public static Capabilities everything() {
        return new Capabilities(true, true, true, true, true, List.of());
    }
}
