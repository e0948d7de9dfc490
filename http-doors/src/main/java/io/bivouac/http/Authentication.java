package io.bivouac.http;

import io.bivouac.sandboxes.access.ApiKeys;
import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.KeyText;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;

/** Finds out who is calling, for everything under the API, and holds them to their rate. */
@ServerFilter("/api/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 300)
class Authentication {
    static final String CALLER = "bivouac.caller";
    private static final String BEARER = "Bearer ";
    private static final int LONGEST_KEY = 512;

    private final ApiKeys keys;
    private final RateLimit rateLimit;
    private final ExecutorService threads;

    Authentication(ApiKeys keys, RateLimit rateLimit, @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        this.keys = keys;
        this.rateLimit = rateLimit;
        this.threads = threads;
    }

    /** A key that is known already costs no change of threads; only a new one is looked up in the database. */
    @RequestFilter
    CompletionStage<HttpRequest<?>> authenticate(HttpRequest<?> request) {
        var text = keyIn(request);
        if (text == null || text.isBlank()) {
            throw unauthorized("Send an API key: 'Authorization: Bearer KEY' or 'X-API-Key: KEY'.");
        }
        if (text.length() > LONGEST_KEY) {
            throw unknown();
        }
        var key = new KeyText(text);
        var remembered = keys.remembered(key);
        if (remembered.isPresent()) {
            admit(request, remembered.get());
            return CompletableFuture.completedFuture(request);
        }
        var looked = new CompletableFuture<HttpRequest<?>>();
        threads.execute(() -> {
            try {
                admit(request, keys.authenticate(key).orElseThrow(Authentication::unknown));
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

    private static String keyIn(HttpRequest<?> request) {
        var header = request.getHeaders().get("Authorization");
        if (header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return header.substring(BEARER.length()).strip();
        }
        return request.getHeaders().get("X-API-Key");
    }

    private static BivouacException unknown() {
        return unauthorized("This key is not known or was revoked.");
    }

    private static BivouacException unauthorized(String detail) {
        return new BivouacException(ErrorCode.UNAUTHORIZED, detail);
    }
}
