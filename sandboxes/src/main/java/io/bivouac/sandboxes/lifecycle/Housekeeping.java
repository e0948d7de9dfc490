package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxes.idempotency.IdempotencyKeys;
import io.bivouac.sandboxes.store.SandboxStore;
import jakarta.inject.Singleton;

/** Forgets what nobody needs any more. */
@Singleton
public class Housekeeping {
    private final SandboxStore store;
    private final Outbox outbox;
    private final IdempotencyKeys idempotencyKeys;
    private final LifecycleSettings settings;

    Housekeeping(SandboxStore store, Outbox outbox, IdempotencyKeys idempotencyKeys, LifecycleSettings settings) {
        this.store = store;
        this.outbox = outbox;
        this.idempotencyKeys = idempotencyKeys;
        this.settings = settings;
    }

    /** How many rows were forgotten. */
    public int run() {
        var before = store.now().minus(settings.getKeepHistory());
        return store.purgeOver(before) + outbox.purgePublished(before) + idempotencyKeys.purge();
    }
}
