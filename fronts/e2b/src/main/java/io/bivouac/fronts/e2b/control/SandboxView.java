package io.bivouac.fronts.e2b.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxState;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Map;

/**
 * A sandbox as E2B's SDKs read it; one form for create, info and list, since they pass over what they do not know.
 *
 * @param envdAccessToken opens commands and files; only for those who may use them
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record SandboxView(
        String templateID,
        String sandboxID,
        String clientID,
        String envdVersion,
        @Nullable String envdAccessToken,
        @Nullable String trafficAccessToken,
        Instant startedAt,
        Instant endAt,
        int cpuCount,
        long memoryMB,
        long diskSizeMB,
        String state,
        Map<String, String> metadata) {
    /** The version of E2B's agent whose abilities are offered: uploads as plain bytes, and no file metadata. */
    private static final String ENVD_VERSION = "0.5.7";

    private static final long MEBIBYTE = 1024 * 1024;

    static SandboxView of(Sandbox sandbox) {
        return of(sandbox, null, null);
    }

    static SandboxView of(Sandbox sandbox, @Nullable String workToken, @Nullable String accessToken) {
        var resources = sandbox.definition().resources();
        return new SandboxView(
                sandbox.definition().template(),
                sandbox.id().value(),
                "bivouac",
                ENVD_VERSION,
                workToken,
                accessToken,
                sandbox.lifetime().createdAt(),
                sandbox.lifetime().expiresAt(),
                (int) Math.max(1, Math.ceil(resources.cpu())),
                resources.memoryBytes() / MEBIBYTE,
                resources.diskBytes() / MEBIBYTE,
                // The SDKs know two states and fail at a third.
                sandbox.state() == SandboxState.STOPPED || sandbox.state() == SandboxState.PAUSED
                        ? "paused"
                        : "running",
                sandbox.definition().labels());
    }
}
