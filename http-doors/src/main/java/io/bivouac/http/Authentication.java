package io.bivouac.http;

import io.bivouac.sandboxes.access.ApiKeys;
import io.bivouac.sandboxes.access.BearerTokens;
import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.KeyText;
import io.bivouac.sandboxes.access.Tickets;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;

/** Finds out who is calling, for everything under the API, and holds them to their rate. */
@ServerFilter({"/api/**", "/-/**"})
@Order(Ordered.HIGHEST_PRECEDENCE + 300)
class Authentication {
    static final String CALLER = "bivouac.caller";
    private static final String BEARER = "Bearer ";
    private static final int LONGEST_KEY = 512;

    private final ApiKeys keys;
    private final List<BearerTokens> tokens;
    private final Tickets tickets;
    private final RateLimit rateLimit;
    private final ExecutorService threads;

    Authentication(
            ApiKeys keys,
            List<BearerTokens> tokens,
            Tickets tickets,
            RateLimit rateLimit,
            @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        this.keys = keys;
        this.tokens = tokens;
        this.tickets = tickets;
        this.rateLimit = rateLimit;
        this.threads = threads;
    }

    /** A key that is known already costs no change of threads; only a new one is looked up in the database. */
    @RequestFilter
    CompletionStage<HttpRequest<?>> authenticate(HttpRequest<?> request) {
        var text = keyIn(request);
        var remembered = text == null || text.length() > LONGEST_KEY
                ? Optional.<Caller>empty()
                : keys.remembered(new KeyText(text));
        if (remembered.isPresent()) {
            admit(request, remembered.get());
            return CompletableFuture.completedFuture(request);
        }
        var looked = new CompletableFuture<HttpRequest<?>>();
        threads.execute(() -> {
            try {
                admit(request, text == null || text.isBlank() ? byTicket(request) : byText(text));
                looked.complete(request);
            } catch (RuntimeException failed) {
                looked.completeExceptionally(failed);
            }
        });
        return looked;
    }

    private void admit(HttpRequest<?> request, Caller caller) {
        rateLimit.take(caller.id());
        request.setAttribute(CALLER, caller);
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

    /** Browsers can send no header with a WebSocket: a ticket among its subprotocols opens what it was given for. */
    private Caller byTicket(HttpRequest<?> request) {
        var headers = request.getHeaders();
        if (!"websocket".equalsIgnoreCase(headers.get("Upgrade"))) {
            throw unauthorized("Send an API key: 'Authorization: Bearer KEY' or 'X-API-Key: KEY'.");
        }
        return Tickets.in(headers.get("Sec-WebSocket-Protocol"))
                .flatMap(ticket -> tickets.redeem(ticket, headers.get("Origin")))
                .filter(ticket -> List.of(request.getPath().split("/")).contains(ticket.subject()))
                .orElseThrow(() -> unauthorized("Send an API key, or a ticket that was not used yet."))
                .caller();
    }

    private static String keyIn(HttpRequest<?> request) {
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
