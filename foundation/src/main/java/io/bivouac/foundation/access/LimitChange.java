package io.bivouac.foundation.access;

import io.micronaut.core.annotation.Nullable;

/** New limits of a project; null leaves a limit as it is. */
public record LimitChange(
        @Nullable Integer sandboxes,
        @Nullable Integer terminals,
        @Nullable Integer eventStreams,
        @Nullable Double cpu,
        @Nullable Long memoryBytes,
        @Nullable Long diskBytes) {
    /** Only the number of sandboxes. */
    public static LimitChange ofSandboxes(@Nullable Integer sandboxes) {
        return new LimitChange(sandboxes, null, null, null, null, null);
    }

    /** As the audit has it: what was asked for, and nothing of what stays. */
    String told() {
        var told = new StringBuilder();
        tell(told, "sandboxes", sandboxes);
        tell(told, "terminals", terminals);
        tell(told, "eventStreams", eventStreams);
        tell(told, "cpu", cpu);
        tell(told, "memory", memoryBytes);
        tell(told, "disk", diskBytes);
        return told.toString();
    }

    private static void tell(StringBuilder told, String name, @Nullable Object value) {
        if (value != null) {
            told.append(told.isEmpty() ? "" : ", ").append(name).append(' ').append(value);
        }
    }
}
