package io.bivouac.http;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxNames;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;

/**
 * Lets a path name a sandbox by its name or the beginning of its id: operations find the whole id in its place. A path
 * with a whole id costs nothing.
 */
@ServerFilter("/api/v1/sandboxes/**")
@Order(FilterOrder.SANDBOX_NAME)
@Requires(beans = SandboxNames.class)
public class SandboxReferences {
    private static final String FOUND = "bivouac.sandbox";
    private static final String VARIABLE = "id";

    /** In {@code /api/v1/sandboxes/{id}}. */
    private static final int PLACE = 4;

    /** Paths that go on with a word instead. */
    private static final String BATCH_DELETE = "batch-delete";

    private final SandboxNames names;
    private final ExecutorService threads;

    SandboxReferences(SandboxNames names, @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        this.names = names;
        this.threads = threads;
    }

    /** The sandbox's id in a request's path, as it was given or as it was found. */
    public static String of(HttpRequest<?> request) {
        return request.getAttribute(FOUND, String.class).orElseGet(() -> given(request));
    }

    private static String given(HttpRequest<?> request) {
        var words = request.getPath().split("/");
        return words.length <= PLACE ? "" : URLDecoder.decode(words[PLACE].replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @RequestFilter
    CompletionStage<HttpRequest<?>> find(HttpRequest<?> request, Caller caller) {
        var text = given(request);
        if (text.isEmpty() || text.equals(BATCH_DELETE) || SandboxId.isOne(text)) {
            return CompletableFuture.completedFuture(request);
        }
        var found = new CompletableFuture<HttpRequest<?>>();
        threads.execute(() -> {
            try {
                put(names.find(caller.project(), text), request);
                found.complete(request);
            } catch (Throwable failed) {
                // An error too: whatever is not told here leaves the request without an answer.
                found.completeExceptionally(failed);
            }
        });
        return found;
    }

    /** Where the operation's arguments are read from; a WebSocket has no route yet. */
    private static void put(SandboxId id, HttpRequest<?> request) {
        request.setAttribute(FOUND, id.value());
        BasicHttpAttributes.getRouteMatchInfo(request)
                .ifPresent(match -> match.getVariableValues().replace(VARIABLE, id.value()));
    }
}
