package io.bivouac.functions.system;

import io.bivouac.http.health.ReadinessCheck;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import jakarta.inject.Singleton;

/** Asks whether the host's free disk space is more than its reserve. */
@Singleton
class DiskCheck implements ReadinessCheck {
    private final SandboxRuntime runtime;

    DiskCheck(SandboxRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public String part() {
        return "disk";
    }

    @Override
    public void check() {
        runtime.diskReserve().objection().ifPresent(why -> {
            throw new IllegalStateException(why);
        });
    }
}
