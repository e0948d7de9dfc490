package io.bivouac.http;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.connection.HttpConnection;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;

/** Finds out who is calling, for everything under the API and for fronts, and holds them to their rate. */
@ServerFilter({"/api/**", "/-/**"})
@Order(FilterOrder.AUTHENTICATION)
public class Authentication {
    static final String CALLER = "bivouac.caller";
    static final String KEY = "bivouac.key";

    private final Logins logins;
    private final RateLimit rateLimit;
    private final ExecutorService threads;

    Authentication(Logins logins, RateLimit rateLimit, @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        this.logins = logins;
        this.rateLimit = rateLimit;
        this.threads = threads;
    }

    /** A key that is known already costs no change of threads; only a new one is looked up in the database. */
    @RequestFilter
    public CompletionStage<HttpRequest<?>> authenticate(HttpRequest<?> request) {
        var session = ConsoleLoginFilter.of(request);
        if (session.isPresent()) {
            rateLimit.take(session.get().caller().id());
            HttpConnection.prove(request);
            return HttpConnection.later(request);
        }
        var remembered = logins.remembered(request);
        if (remembered.isPresent()) {
            admit(request, remembered.get());
            return HttpConnection.later(request);
        }
        var looked = new CompletableFuture<HttpRequest<?>>();
        threads.execute(() -> {
            try {
                admit(request, logins.find(request));
                looked.complete(request);
            } catch (Throwable failed) {
                // An error too: whatever is not told here leaves the request without an answer.
                looked.completeExceptionally(failed);
            }
        });
        return looked;
    }

    /** The same for a front whose clients send their key in a header of their own; null for none. */
    public CompletionStage<HttpRequest<?>> authenticate(HttpRequest<?> request, @Nullable String key) {
        if (key != null) {
            request.setAttribute(KEY, key);
        }
        return authenticate(request);
    }

    private void admit(HttpRequest<?> request, Caller caller) {
        rateLimit.take(caller.id());
        request.setAttribute(CALLER, caller);
        HttpConnection.prove(request);
    }
}
