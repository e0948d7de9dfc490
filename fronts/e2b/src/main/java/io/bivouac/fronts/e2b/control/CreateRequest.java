package io.bivouac.fronts.e2b.control;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.sandboxes.lifecycle.SandboxOrder;
import io.bivouac.sandboxmodel.OnExpiry;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;

/**
 * A create as E2B's SDKs send it. Fields that only steer E2B's own machinery are left unread.
 *
 * @param timeout in seconds
 * @param autoPause whether the sandbox is to be paused at its end, which nothing here does
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = true)
record CreateRequest(
        @Nullable String templateID,
        @Nullable Long timeout,
        @Nullable Map<String, String> metadata,
        @Nullable Map<String, String> envVars,
        @Nullable Boolean autoPause) {
    /** What E2B gives a sandbox whose maker names no timeout. */
    static final long DEFAULT_TIMEOUT = 300;

    private static final String OUR_DEFAULT = "default";

    /** What their templates are called here. */
    private static final Map<String, String> ALIASES =
            Map.of("base", OUR_DEFAULT, "code-interpreter-v1", "code-interpreter");

    SandboxOrder order() {
        if (Boolean.TRUE.equals(autoPause)) {
            throw BivouacException.invalidRequest("autoPause is not supported: a sandbox ends with its timeout.");
        }
        return new SandboxOrder(
                        templateID == null ? OUR_DEFAULT : ALIASES.getOrDefault(templateID, templateID),
                        null,
                        SandboxOrder.timeout(timeout == null ? DEFAULT_TIMEOUT : timeout),
                        envVars,
                        null,
                        metadata,
                        null,
                        null,
                        false,
                        false)
                .endingBy(OnExpiry.DELETE);
    }
}
