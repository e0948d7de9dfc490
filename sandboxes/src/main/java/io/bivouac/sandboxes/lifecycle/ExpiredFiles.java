package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime.KeptData;
import io.bivouac.sandboxmodel.transition.Happening.FilesGone;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workspaces of expired sandboxes, which are kept for a while like any other kept workspace. Nobody has asked for
 * one of them, so they give way where there is no room. Thread-safe.
 */
@Singleton
@Requires(beans = SandboxRuntime.class)
public class ExpiredFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ExpiredFiles.class);

    private final SandboxRuntime runtime;
    private final SandboxStore store;
    private final AuditedChanges changes;
    private final WorkspaceLimit workspaces;

    ExpiredFiles(SandboxRuntime runtime, SandboxStore store, AuditedChanges changes, WorkspaceLimit workspaces) {
        this.runtime = runtime;
        this.store = store;
        this.changes = changes;
        this.workspaces = workspaces;
    }

    /** Whether an expiring sandbox's workspace can be kept: its project and this host have room for it. */
    boolean mayStay(Sandbox expiring) {
        var why = runtime.diskReserve().objection();
        boolean stays = why.isEmpty() && workspaces.hasRoom(expiring.project());
        if (!stays) {
            LOG.warn(
                    "{} has expired and its workspace is not kept: {}",
                    expiring.id(),
                    why.orElse("its project keeps as many as it may"));
        }
        return stays;
    }

    /** Says that an expired sandbox has no files any more; any other stays as it is. */
    public void gone(SandboxId id) {
        store.find(id).filter(Sandbox::hasExpired).ifPresent(this::gone);
    }

    Sandbox gone(Sandbox expired) {
        return changes.change(expired, new FilesGone(), AuditedChanges.SYSTEM);
    }

    /** Removes what was kept long enough, and has rows say so whose workspace was deleted or taken over. */
    void tidy(List<Sandbox> rows) {
        var keeping = rows.stream()
                .filter(row -> row.hasExpired() && row.lifetime().filesUntil() != null)
                .toList();
        if (keeping.isEmpty()) {
            return;
        }
        var there = runtime.keptData().stream().map(KeptData::id).collect(Collectors.toSet());
        var now = store.now();
        for (var sandbox : keeping) {
            boolean over = !now.isBefore(sandbox.lifetime().filesUntil());
            if (over || !there.contains(sandbox.id())) {
                remove(sandbox);
            }
        }
    }

    private void remove(Sandbox sandbox) {
        try {
            runtime.removeKeptData(sandbox.id());
            gone(sandbox);
        } catch (RuntimeException passing) {
            // Changed meanwhile, or the runtime is busy: the next round looks again.
            LOG.warn("The workspace of {} could not be removed: {}", sandbox.id(), passing.getMessage());
        }
    }
}
