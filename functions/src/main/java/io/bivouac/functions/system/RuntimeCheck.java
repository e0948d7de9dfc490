package io.bivouac.functions.system;

import io.bivouac.sandboxes.runtime.SandboxRuntime;
import jakarta.inject.Singleton;

/** Asks the runtime whether it could make a sandbox now. */
@Singleton
class RuntimeCheck implements ReadinessCheck {
    private final SandboxRuntime runtime;

    RuntimeCheck(SandboxRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public String part() {
        return "runtime";
    }

    @Override
    public void check() {
        runtime.check();
    }
}
