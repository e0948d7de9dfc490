package io.bivouac.fronts.opensandbox.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.StopReason;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A sandbox as OpenSandbox's SDKs read it; they fail at a null, so what is not there is left out. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record SandboxView(
        String id,
        Image image,
        Status status,
        List<String> entrypoint,
        Map<String, String> metadata,
        Instant createdAt,
        Instant expiresAt) {
    @Serdeable
    record Image(String uri) {}

    /** @param message why it failed */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Status(String state, @Nullable String message, Instant lastTransitionAt) {}

    static SandboxView of(Sandbox sandbox) {
        return of(sandbox, null);
    }

    static SandboxView of(Sandbox sandbox, @Nullable List<String> entrypoint) {
        var status = sandbox.status();
        return new SandboxView(
                sandbox.id().value(),
                new Image(sandbox.definition().template()),
                new Status(state(sandbox), status.reason(), status.since()),
                entrypoint == null ? CreateRequest.IDLE : entrypoint,
                sandbox.definition().labels(),
                sandbox.lifetime().createdAt(),
                sandbox.lifetime().expiresAt());
    }

    /** A stopped sandbox counts as paused, since it can be had back with its files. */
    static String state(Sandbox sandbox) {
        return switch (sandbox.state()) {
            case STARTING -> "Pending";
            case RUNNING -> "Running";
            case STOPPING -> "Stopping";
            case PAUSED -> "Paused";
            case STOPPED -> sandbox.status().stopReason() == StopReason.EXPIRED ? "Terminated" : "Paused";
            case ERROR -> "Failed";
            case DELETED -> "Terminated";
        };
    }
}
