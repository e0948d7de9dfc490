package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.util.Map;

/**
 * A sandbox after a start: it runs, has failed, or is still starting when nobody waited for the end of it.
 *
 * @param timeline null when the start was not waited for
 */
public record StartedSandbox(Sandbox sandbox, @Nullable StartTimeline timeline) {
    /** A start that ended in error is the caller's error too. */
    public StartedSandbox mustNotHaveFailed() {
        if (sandbox.state() == SandboxState.ERROR) {
            throw new BivouacException(
                    ErrorCode.SANDBOX_FAILED,
                    "Sandbox " + sandbox.id() + " did not start: "
                            + sandbox.status().reason() + ".",
                    Map.of("sandboxId", sandbox.id().value()));
        }
        return this;
    }
}
