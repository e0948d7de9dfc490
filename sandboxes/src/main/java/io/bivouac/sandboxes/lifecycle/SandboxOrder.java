package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.OnExpiry;
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
 * @param onExpiry what its end is to be
 * @param autoResume whether use of it resumes it when it is paused
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
        boolean keepAlive,
        OnExpiry onExpiry,
        boolean autoResume) {
    static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);
    public static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);

    /** Each absent part is the template's. */
    public record AskedResources(
            @Nullable Double cpu,
            @Nullable Long memoryBytes,
            @Nullable Long diskBytes) {}

    /** One whose files are kept for a while after its end. */
    public SandboxOrder(
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
        this(
                template,
                name,
                timeout,
                envs,
                resources,
                labels,
                workspace,
                egress,
                nestedSandbox,
                keepAlive,
                OnExpiry.KEEP,
                false);
    }

    /** The same with another end. */
    public SandboxOrder endingBy(OnExpiry choice) {
        return new SandboxOrder(
                template,
                name,
                timeout,
                envs,
                resources,
                labels,
                workspace,
                egress,
                nestedSandbox,
                keepAlive,
                choice,
                autoResume);
    }

    /** One with nothing but what its template has, and nothing of which stays. */
    public static SandboxOrder of(
            String template, Duration timeout, @Nullable EgressPolicy egress, boolean nestedSandbox) {
        return new SandboxOrder(template, null, timeout, null, null, null, null, egress, nestedSandbox, false)
                .endingBy(OnExpiry.DELETE);
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
