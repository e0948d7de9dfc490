package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.transition.Happening;
import io.bivouac.sandboxmodel.transition.Happening.ExpiryNear;
import io.bivouac.sandboxmodel.transition.Happening.TimeOver;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Announces and ends sandboxes whose time comes. The host's keeper then takes them down. */
@Singleton
public class Expiry {
    private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);
    private static final int BATCH = 200;

    private final SandboxStore store;
    private final AuditedChanges changes;
    private final Duration keepExpired;

    /** @param keepExpired how long the workspace of an expired sandbox is kept */
    Expiry(SandboxStore store, AuditedChanges changes, @Value("${bivouac.keep-expired:1d}") Duration keepExpired) {
        this.keepExpired = keepExpired;
        this.store = store;
        this.changes = changes;
    }

    public int sweep() {
        var timely = store.timely(BATCH);
        tell(timely.noticeDue(), new ExpiryNear());
        return tell(timely.overdue(), new TimeOver(keepExpired));
    }

    private int tell(List<SandboxId> ids, Happening happening) {
        int told = 0;
        for (var id : ids) {
            try {
                changes.change(id, happening, AuditedChanges.SYSTEM);
                told++;
            } catch (BivouacException lostTheRace) {
                // Deleted or busy since it was listed; the next sweep sees what is left to do.
                LOG.debug("{}: {}", id, lostTheRace.getMessage());
            }
        }
        return told;
    }
}
