package io.bivouac.functions.system;

import io.bivouac.http.health.ReadinessCheck;
import io.bivouac.sandboxes.lifecycle.RuntimeHealth;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/** Asks the runtime whether it could make a sandbox now; not at every call, since asking starts processes. */
@Singleton
class RuntimeCheck implements ReadinessCheck {
    private static final Duration ASK_EVERY = Duration.ofSeconds(10);

    private final SandboxRuntime runtime;
    private final RuntimeHealth health;
    private boolean fine;
    private long askedAt;

    RuntimeCheck(SandboxRuntime runtime, RuntimeHealth health) {
        this.runtime = runtime;
        this.health = health;
    }

    @Override
    public String part() {
        return "runtime";
    }

    @Override
    public synchronized void check() {
        long now = System.nanoTime();
        if (!fine || now - askedAt > ASK_EVERY.toNanos()) {
            fine = false;
            runtime.check();
            fine = true;
            askedAt = now;
        }
        health.fault().ifPresent(fault -> {
            throw new RuntimeFailure(fault);
        });
    }

    @Override
    public Optional<String> note() {
        return runtime.exposure();
    }
}
