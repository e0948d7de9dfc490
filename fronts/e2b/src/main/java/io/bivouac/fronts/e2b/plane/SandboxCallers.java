package io.bivouac.fronts.e2b.plane;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.http.connection.HttpConnection;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;

/** Finds the sandbox that a request names, and checks that its token is that sandbox's. Thread-safe. */
@Singleton
class SandboxCallers {
    static final String SANDBOX = "E2b-Sandbox-Id";
    private static final String TOKEN = "X-Access-Token";

    private final SandboxStore store;
    private final AccessTokens access;
    private final SandboxTokens tokens;

    SandboxCallers(SandboxStore store, AccessTokens access, SandboxTokens tokens) {
        this.store = store;
        this.access = access;
        this.tokens = tokens;
    }

    /** Asks the database. */
    Sandbox running(HttpRequest<?> request) {
        var id = request.getHeaders().get(SANDBOX);
        return store.find(SandboxId.parse(id == null ? "" : id))
                .filter(found -> found.state() == SandboxState.RUNNING)
                .orElseThrow(() -> SandboxId.noSuchSandbox(id));
    }

    /** Acts for the sandbox's project, in this one sandbox. Asks the database. */
    Caller caller(HttpRequest<?> request) {
        var sandbox = running(request);
        var token = request.getHeaders().get(TOKEN);
        if (token == null || !tokens.isWorkToken(sandbox.id(), access.generation(sandbox.id()), token)) {
            throw new BivouacException(ErrorCode.UNAUTHORIZED, "X-Access-Token is not the one of this sandbox.");
        }
        HttpConnection.prove(request);
        return new Caller("token-of-" + sandbox.id(), sandbox.project(), Role.DEVELOPER, false);
    }
}
