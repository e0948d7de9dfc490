package io.bivouac.sandboxes.token;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;

/** For whom a work token stands. Thread-safe. */
@Singleton
public class WorkTokens {
    private final SandboxStore store;
    private final AccessTokens access;
    private final SandboxTokens tokens;

    WorkTokens(SandboxStore store, AccessTokens access, SandboxTokens tokens) {
        this.store = store;
        this.access = access;
        this.tokens = tokens;
    }

    /** The present one of a sandbox. Asks the database. */
    public String current(SandboxId id) {
        return tokens.workToken(id, access.generation(id));
    }

    /** Somebody who acts for the sandbox's project, in this one sandbox. Asks the database. */
    public Caller holder(SandboxId id, @Nullable String token) {
        var sandbox = store.find(id)
                .filter(found -> found.state() != SandboxState.DELETED)
                .orElseThrow(() -> SandboxId.noSuchSandbox(id.value()));
        if (token == null || !tokens.isWorkToken(id, access.generation(id), token)) {
            throw new BivouacException(ErrorCode.UNAUTHORIZED, "The token is not the one of this sandbox.");
        }
        return new Caller("token-of-" + id, sandbox.project(), Role.DEVELOPER, false);
    }
}
