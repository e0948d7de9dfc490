package io.bivouac.http;

import io.bivouac.foundation.access.BoundToken;
import io.bivouac.foundation.access.BoundTokens;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.settings.PublicUrl;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Locale;

/**
 * Logs in those who come with a token that is bound to a key of theirs. They are guests: only the doors under
 * {@code /-/} know what a guest may do, so there and nowhere else they get in.
 */
@Singleton
class BoundLogin {
    static final String SCHEME = "DPoP ";
    private static final String DOORS = "/-/";

    private final @Nullable BoundTokens tokens;
    private final PublicUrl publicUrl;

    BoundLogin(@Nullable BoundTokens tokens, PublicUrl publicUrl) {
        this.tokens = tokens;
        this.publicUrl = publicUrl;
    }

    static boolean isIn(HttpRequest<?> request) {
        return request.getHeaders().getAll("Authorization").stream()
                .anyMatch(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()));
    }

    Caller find(HttpRequest<?> request) {
        if (tokens == null || !request.getPath().startsWith(DOORS)) {
            throw new BivouacException(
                    ErrorCode.UNAUTHORIZED, "A WebID opens terminal sessions only; send an API key here.");
        }
        var headers = request.getHeaders();
        var all = headers.getAll("Authorization");
        if (all.size() != 1 || headers.contains("X-API-Key")) {
            throw new BivouacException(ErrorCode.UNAUTHORIZED, "Send one login, not several.");
        }
        return tokens.authenticate(new BoundToken(
                all.getFirst().substring(SCHEME.length()).strip(),
                headers.getAll("DPoP"),
                request.getMethodName(),
                urlOf(request)));
    }

    /**
     * What the proof must name. Without a setting it is our own port under the name that the client used, which
     * has passed {@link HostHeaderCheck}; its port has not: a proof for another server on this machine is none for us.
     */
    private String urlOf(HttpRequest<?> request) {
        return publicUrl.text().orElseGet(() -> ownAddress(request)) + pathOf(request.getUri());
    }

    private static String ownAddress(HttpRequest<?> request) {
        var host = String.valueOf(request.getHeaders().get("Host")).replaceFirst(":\\d+$", "");
        return (request.isSecure() ? "https://" : "http://") + host.toLowerCase(Locale.ROOT) + ":"
                + request.getServerAddress().getPort();
    }

    private static String pathOf(URI uri) {
        return uri.getRawPath();
    }
}
