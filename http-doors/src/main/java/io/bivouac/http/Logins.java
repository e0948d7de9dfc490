package io.bivouac.http;

import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.BearerTokens;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.KeyText;
import io.bivouac.foundation.access.Tickets;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The ways in which a request can say who sends it: a key, a token, a bound token, a ticket. Thread-safe. */
@Singleton
class Logins {
    private static final String BEARER = "Bearer ";
    private static final int LONGEST_KEY = 512;

    /** Behind a terminal's id, the end of its WebSocket's path. */
    private static final String SOCKET = "/ws";

    private final ApiKeys keys;
    private final List<BearerTokens> tokens;
    private final BoundLogin bound;
    private final Tickets tickets;

    Logins(ApiKeys keys, List<BearerTokens> tokens, BoundLogin bound, Tickets tickets) {
        this.keys = keys;
        this.tokens = tokens;
        this.bound = bound;
        this.tickets = tickets;
    }

    /** The same as {@link #find}, when that can be said without waiting for anything. */
    Optional<Caller> remembered(HttpRequest<?> request) {
        var text = keyIn(request);
        return text == null || text.length() > LONGEST_KEY || BoundLogin.isIn(request)
                ? Optional.empty()
                : keys.remembered(new KeyText(text));
    }

    Caller find(HttpRequest<?> request) {
        if (BoundLogin.isIn(request)) {
            return bound.find(request);
        }
        var text = keyIn(request);
        return text == null || text.isBlank() ? byTicket(request) : byText(text);
    }

    private Caller byText(String text) {
        if (text.length() <= LONGEST_KEY) {
            var caller = keys.authenticate(new KeyText(text));
            if (caller.isPresent()) {
                return caller.get();
            }
        }
        return tokens.stream()
                .flatMap(kind -> kind.authenticate(text).stream())
                .findFirst()
                .orElseThrow(() -> unauthorized("This key is not known or was revoked."));
    }

    /**
     * Browsers can send no header with a WebSocket: a ticket among its subprotocols, or in its address, opens the one WebSocket that it was
     * given for, and is no login for any other request.
     */
    private Caller byTicket(HttpRequest<?> request) {
        var headers = request.getHeaders();
        if (!WebSocketRequest.is(request)) {
            throw unauthorized("Send an API key: 'Authorization: Bearer KEY' or 'X-API-Key: KEY'.");
        }
        return ticketIn(request)
                .flatMap(ticket -> tickets.redeem(ticket, headers.get("Origin")))
                .filter(ticket -> request.getPath().endsWith("/" + ticket.subject() + SOCKET))
                .orElseThrow(() -> unauthorized("Send an API key, or a ticket that was not used yet."))
                .caller();
    }

    /** Among the subprotocols, or in the address of a client that asked for one there. */
    static Optional<String> ticketIn(HttpRequest<?> request) {
        return Tickets.in(request.getHeaders().get("Sec-WebSocket-Protocol"))
                .or(() -> request.getParameters().getFirst(Tickets.PARAMETER));
    }

    private static @Nullable String keyIn(HttpRequest<?> request) {
        var ofFront = request.getAttribute(Authentication.KEY, String.class);
        if (ofFront.isPresent()) {
            return ofFront.get();
        }
        var header = request.getHeaders().get("Authorization");
        if (header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return header.substring(BEARER.length()).strip();
        }
        return request.getHeaders().get("X-API-Key");
    }

    private static BivouacException unauthorized(String detail) {
        return new BivouacException(ErrorCode.UNAUTHORIZED, detail);
    }
}
