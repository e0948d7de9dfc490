package io.bivouac.fronts.opensandbox.execd;

import io.bivouac.foundation.access.Caller;
import io.bivouac.fronts.opensandbox.Plane;
import io.bivouac.http.connection.HttpConnection;
import io.bivouac.sandboxes.token.WorkTokens;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;

/** Finds out who asks for the inside of a sandbox. Thread-safe. */
@Singleton
class Insiders {
    private final WorkTokens tokens;

    Insiders(WorkTokens tokens) {
        this.tokens = tokens;
    }

    /** Asks the database. */
    Caller caller(SandboxId id, HttpRequest<?> request) {
        var caller = tokens.holder(id, request.getHeaders().get(Plane.TOKEN));
        HttpConnection.prove(request);
        return caller;
    }

    FileUse files(SandboxId id, HttpRequest<?> request) {
        return new FileUse(id.value(), caller(id, request), null);
    }
}
