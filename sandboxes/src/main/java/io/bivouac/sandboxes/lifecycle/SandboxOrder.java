package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.Map;

/**
 * A new sandbox as its maker asks for it; {@link CreateRules} says within which bounds.
 *
 * @param timeout how long it lives
 * @param workspace the id of a kept workspace that it takes over
 * @param egress the hosts that it may reach; the template's if null
 * @param nestedSandbox whether programs in it may make sandboxes of their own
 * @param keepAlive whether use of it moves its end ahead, as far as its template allows
 */
public record SandboxOrder(
        String template,
        @Nullable String name,
        Duration timeout,
        @Nullable Map<String, String> envs,
        @Nullable AskedResources resources,
        @Nullable Map<String, String> labels,
        @Nullable String workspace,
        @Nullable EgressPolicy egress,
        boolean nestedSandbox,
        boolean keepAlive) {
    static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);
    public static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);

    /** Each absent part is the template's. */
    public record AskedResources(
            @Nullable Double cpu,
            @Nullable Long memoryBytes,
            @Nullable Long diskBytes) {}

    /** One with nothing but what its template has. */
    public static SandboxOrder of(
            String template, Duration timeout, @Nullable EgressPolicy egress, boolean nestedSandbox) {
        return new SandboxOrder(template, null, timeout, null, null, null, null, egress, nestedSandbox, false);
    }

    /** A timeout that a caller chose, within the bounds for callers. */
    public static Duration timeout(@Nullable Long seconds) {
        if (seconds == null) {
            return DEFAULT_TIMEOUT;
        }
        if (seconds < 1 || seconds > LONGEST_TIMEOUT.toSeconds()) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST,
                    "timeoutSeconds must be between 1 and " + LONGEST_TIMEOUT.toSeconds() + ".");
        }
        return Duration.ofSeconds(seconds);
    }
}
