package io.bivouac.sandboxmodel.runtime;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.Map;

/**
 * How to run a command.
 *
 * @param user empty for the sandbox's ordinary user
 */
public record ExecOptions(
        Map<String, String> envs,
        @Nullable String workingFolder,
        @Nullable String user,
        Duration timeout) {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    /** The most that is kept of each of stdout and stderr. */
    public static final int LARGEST_OUTPUT = 1 << 20;

    public ExecOptions {
        envs = Map.copyOf(envs);
    }

    public static ExecOptions defaults() {
        return new ExecOptions(Map.of(), null, null, DEFAULT_TIMEOUT);
    }
}
