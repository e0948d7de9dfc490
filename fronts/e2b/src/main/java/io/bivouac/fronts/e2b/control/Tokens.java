package io.bivouac.fronts.e2b.control;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.Sandbox;
import jakarta.inject.Singleton;

/** Adds the tokens that open a sandbox, for callers who may use it. Thread-safe. */
@Singleton
class Tokens {
    private final AccessTokens access;
    private final SandboxTokens tokens;

    Tokens(AccessTokens access, SandboxTokens tokens) {
        this.access = access;
        this.tokens = tokens;
    }

    /** A viewer may look at a sandbox, and a token would let it do more. */
    SandboxView shown(Sandbox sandbox, Caller caller) {
        if (!caller.role().includes(Role.DEVELOPER)) {
            return SandboxView.of(sandbox);
        }
        int generation = access.generation(sandbox.id());
        return SandboxView.of(
                sandbox, tokens.workToken(sandbox.id(), generation), tokens.accessToken(sandbox.id(), generation));
    }
}
