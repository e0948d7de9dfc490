package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.HostPaths;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What the last trial of this host's runtime has shown. A runtime is believed to work until a trial fails, and then
 * believed to be broken until one succeeds: nobody waits for a sandbox that cannot come up. Thread-safe.
 */
@Singleton
public class RuntimeHealth {
    private final List<Runnable> doubts = new CopyOnWriteArrayList<>();
    private volatile @Nullable String fault;

    /** What is wrong, as an operator reads it; empty while the runtime is believed to work. */
    public Optional<String> fault() {
        return Optional.ofNullable(fault);
    }

    public void works() {
        fault = null;
    }

    public void broken(String reason) {
        fault = reason;
    }

    /** The trial is to be held when a start has failed. */
    public void onDoubt(Runnable trial) {
        doubts.add(trial);
    }

    void doubt() {
        doubts.forEach(Runnable::run);
    }

    /** Refuses what needs a sandbox to start. */
    void mustWork() {
        var wrong = fault;
        if (wrong != null) {
            throw new BivouacException(
                    ErrorCode.SANDBOX_FAILED,
                    "This server cannot start sandboxes: " + HostPaths.hiddenIn(wrong)
                            + ". It tries again by itself; its administrator sees more with bivouac doctor.");
        }
    }
}
