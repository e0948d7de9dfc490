package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxes.warm.WarmSandbox;
import io.bivouac.sandboxmodel.Sandbox;
import io.micronaut.core.annotation.Nullable;

/**
 * A new sandbox on its way to being stored and started, with the one from the pool that it is to become, if any. One
 * thread's. Closed, what was taken from the pool and not used is back there, or goes.
 */
final class Draft implements AutoCloseable {
    private final Sandbox sandbox;
    private final @Nullable WarmSandbox warm;
    private final WarmClaims claims;
    private Progress progress = Progress.UNTOUCHED;

    /** What has become of the one from the pool. */
    private enum Progress {
        UNTOUCHED,
        GIVEN,
        BROKEN,
        STORED
    }

    Draft(Sandbox sandbox, @Nullable WarmSandbox warm, WarmClaims claims) {
        this.sandbox = sandbox;
        this.warm = warm;
        this.claims = claims;
    }

    Sandbox sandbox() {
        return sandbox;
    }

    /**
     * Makes the one from the pool the sandbox's own; in the transaction that stores the sandbox, so that none is found
     * with a row and another one's limits. A sandbox that cannot have it is started like any other.
     */
    void give() {
        if (warm != null) {
            progress = claims.give(sandbox) ? Progress.GIVEN : Progress.BROKEN;
        }
    }

    /** The transaction is over. True when the sandbox runs already, and its agent waits. */
    boolean stored() {
        if (warm == null) {
            return false;
        }
        boolean given = progress == Progress.GIVEN;
        if (!given) {
            claims.remove(warm);
        }
        progress = Progress.STORED;
        return given;
    }

    boolean admitAgent() {
        return warm != null && warm.agent().admit();
    }

    @Override
    public void close() {
        if (warm != null) {
            switch (progress) {
                case UNTOUCHED -> claims.putBack(warm);
                case GIVEN, BROKEN -> claims.discard(warm);
                case STORED -> claims.settled(warm);
            }
        }
    }
}
