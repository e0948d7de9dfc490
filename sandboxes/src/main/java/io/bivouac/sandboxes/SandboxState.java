package io.bivouac.sandboxes;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where a sandbox is in its life. */
public enum SandboxState {
    STARTING,
    RUNNING,
    STOPPING,
    STOPPED,
    ERROR,
    DELETED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<SandboxState> ofWireName(String name) {
        return Arrays.stream(values())
                .filter(state -> state.wireName().equals(name))
                .findFirst();
    }
}
