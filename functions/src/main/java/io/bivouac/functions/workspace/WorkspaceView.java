package io.bivouac.functions.workspace;

import io.bivouac.sandboxmodel.runtime.SandboxRuntime.KeptData;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/** A kept workspace; its id is that of the sandbox it came from. */
@Serdeable
record WorkspaceView(String id, long bytes, Instant keptAt) {
    static WorkspaceView of(KeptData kept) {
        return new WorkspaceView(kept.id().value(), kept.bytes(), kept.keptAt());
    }
}
