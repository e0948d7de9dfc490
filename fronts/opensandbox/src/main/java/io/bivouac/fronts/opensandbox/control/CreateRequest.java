package io.bivouac.fronts.opensandbox.control;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.fronts.opensandbox.NetworkPolicy;
import io.bivouac.sandboxes.lifecycle.SandboxOrder;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;

/**
 * A create as OpenSandbox's SDKs send it. Fields that only steer OpenSandbox's own machinery are left unread.
 *
 * @param timeout in seconds; the longest there is when absent
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = true)
record CreateRequest(
        @Nullable Image image,
        @Nullable String templateId,
        @Nullable String snapshotId,
        @Nullable List<String> entrypoint,
        @Nullable Long timeout,
        @Nullable Map<String, String> resourceLimits,
        @Nullable Map<String, String> env,
        @Nullable Map<String, String> metadata,
        @Nullable NetworkPolicy networkPolicy,
        @Nullable JsonNode volumes,
        @Nullable JsonNode credentialProxy) {
    /** Keeps a container alive; a sandbox lives without it. */
    static final List<String> IDLE = List.of("tail", "-f", "/dev/null");

    /** Starts the kernels of OpenSandbox's own image. */
    private static final String INTERPRETER = "code-interpreter.sh";

    /** @param uri an image's, or the name of a template */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Image(@Nullable String uri) {}

    SandboxOrder order(Images images, Capabilities can) {
        refuse(snapshotId != null, "snapshotId: this server has no snapshots.");
        refuse(volumes != null && volumes.isArray() && volumes.size() > 0, "volumes are not served.");
        refuse(credentialProxy != null && !credentialProxy.isNull(), "credentialProxy is not served.");
        return new SandboxOrder(
                template(images),
                null,
                timeout == null ? SandboxOrder.LONGEST_TIMEOUT : SandboxOrder.timeout(timeout),
                env,
                Limits.asked(resourceLimits, can),
                metadata,
                null,
                networkPolicy == null ? null : networkPolicy.policy(),
                false,
                false);
    }

    private static void refuse(boolean asked, String why) {
        if (asked) {
            throw BivouacException.invalidRequest(why);
        }
    }

    private String template(Images images) {
        if (templateId != null) {
            return templateId;
        }
        if (image == null || image.uri() == null || image.uri().isBlank()) {
            throw BivouacException.invalidRequest("image.uri is missing.");
        }
        return images.template(image.uri());
    }

    /** Whether the entrypoint is a program of the user's, which has to run. */
    boolean hasProgram() {
        return entrypoint != null
                && !entrypoint.isEmpty()
                && !entrypoint.equals(IDLE)
                && !entrypoint.getFirst().endsWith(INTERPRETER);
    }
}
