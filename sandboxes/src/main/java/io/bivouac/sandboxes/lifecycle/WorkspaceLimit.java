package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;

/**
 * Sees to it that a project keeps no more workspaces than it may: each holds a disk until somebody deletes it.
 * Thread-safe.
 */
@Singleton
@Requires(beans = SandboxRuntime.class)
class WorkspaceLimit {
    private final SandboxRuntime runtime;
    private final int most;

    /** Deletes that will keep one, of each project. */
    private final Map<String, Integer> underWay = new HashMap<>();

    WorkspaceLimit(SandboxRuntime runtime, @Value("${bivouac.workspaces-per-project:500}") int most) {
        this.runtime = runtime;
        this.most = most;
    }

    /** Let go of when closed: then the workspace is kept, or will not be. */
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /** Whether one more would be taken now. */
    synchronized boolean hasRoom(String project) {
        long kept = runtime.keptData().stream()
                .filter(data -> data.project().equals(project))
                .count();
        return kept + underWay.getOrDefault(project, 0) < most;
    }

    /** For one more, or a refusal. */
    synchronized Place take(String project) {
        if (!hasRoom(project)) {
            throw new BivouacException(
                    ErrorCode.CONFLICT,
                    "The project keeps " + most + " workspaces, which is its limit; delete one first, or delete this"
                            + " sandbox without keeping its workspace.");
        }
        underWay.merge(project, 1, Integer::sum);
        return () -> letGo(project);
    }

    private synchronized void letGo(String project) {
        underWay.computeIfPresent(project, (_, places) -> places == 1 ? null : places - 1);
    }
}
