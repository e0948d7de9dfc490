package io.bivouac.sandboxes.store;

import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Introspected;
import java.time.Duration;
import java.time.Instant;

/** A sandbox that is kept alive while it is used, and whose end comes nearer. */
@Introspected
public record KeptSandbox(String id, long timeoutSeconds, Instant expiresAt) {
    public SandboxId sandbox() {
        return new SandboxId(id);
    }

    public Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }

    /** Use before this has moved the end already. */
    public Instant countedUntil() {
        return expiresAt.minus(timeout());
    }
}
