package io.bivouac.fronts.e2b.plane;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.connection.HttpConnection;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.WorkTokens;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;

/** Finds the sandbox that a request names, and checks that its token is that sandbox's. Thread-safe. */
@Singleton
class SandboxCallers {
    static final String SANDBOX = "E2b-Sandbox-Id";
    private static final String TOKEN = "X-Access-Token";

    private final SandboxStore store;
    private final WorkTokens tokens;

    SandboxCallers(SandboxStore store, WorkTokens tokens) {
        this.store = store;
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
        var caller = tokens.holder(running(request).id(), request.getHeaders().get(TOKEN));
        HttpConnection.prove(request);
        return caller;
    }
}
