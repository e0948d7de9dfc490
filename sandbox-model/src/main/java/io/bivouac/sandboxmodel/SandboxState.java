package io.bivouac.sandboxmodel;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where a sandbox is in its life. */
public enum SandboxState {
    STARTING,
    RUNNING,
    /** Its processes are frozen where they are. */
    PAUSED,
    STOPPING,
    STOPPED,
    ERROR,
    DELETED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether an agent of such a sandbox is served; in error it may come back. */
    public boolean mayRun() {
        return switch (this) {
            case STARTING, RUNNING, PAUSED, ERROR -> true;
            case STOPPING, STOPPED, DELETED -> false;
        };
    }

    public static Optional<SandboxState> ofWireName(String name) {
        return Arrays.stream(values())
                .filter(state -> state.wireName().equals(name))
                .findFirst();
    }
}
