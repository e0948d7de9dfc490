package io.bivouac.fronts.e2b.control;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.database.StorableText;
import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.http.Answers;
import io.bivouac.http.Listing;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.store.SandboxFilter;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists the project's sandboxes, the newest first; the next page's token is a header. */
@Controller("/v2/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class ListSandboxes {
    private static final String NEXT = "x-next-token";
    private static final String RUNNING = "running";
    private static final String PAUSED = "paused";

    private final Sandboxes sandboxes;
    private final Answers answers;

    ListSandboxes(Sandboxes sandboxes, Answers answers) {
        this.sandboxes = sandboxes;
        this.answers = answers;
    }

    @Get
    HttpResponse<List<SandboxView>> list(
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String nextToken,
            @Nullable @QueryValue String template,
            HttpRequest<?> request,
            Caller caller) {
        var filter = new SandboxFilter(
                state(request.getParameters().get("state")),
                template,
                labels(request.getParameters().get("metadata")),
                cursor(nextToken),
                Listing.limit(limit));
        var page = answers.page(caller, () -> sandboxes.list(caller, filter).map(SandboxView::of));
        MutableHttpResponse<List<SandboxView>> response = HttpResponse.ok(page.items());
        return page.nextCursor() == null ? response : response.header(NEXT, page.nextCursor());
    }

    /** Both states together are no filter. */
    private static @Nullable String state(@Nullable String text) {
        return switch (text) {
            case RUNNING -> SandboxState.RUNNING.wireName();
            case PAUSED -> SandboxState.PAUSED.wireName();
            case null, default -> null;
        };
    }

    private static @Nullable String cursor(@Nullable String cursor) {
        if (cursor != null && !SortableId.matches(SandboxId.PREFIX, cursor)) {
            throw BivouacException.invalidRequest("This token did not come from here.");
        }
        return cursor;
    }

    /** A query string within the query: its names and values were encoded before the pairs were joined. */
    private static Map<String, String> labels(@Nullable String query) {
        var labels = new HashMap<String, String>();
        if (query == null || query.isEmpty()) {
            return labels;
        }
        for (var pair : query.split("&")) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw BivouacException.invalidRequest("metadata must look like key=value.");
            }
            labels.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
        }
        return labels;
    }

    /** Twice: the SDKs encode each text, and joining the pairs encodes it again. */
    private static String decoded(String text) {
        try {
            var once = URLDecoder.decode(text, StandardCharsets.UTF_8);
            var twice = URLDecoder.decode(once, StandardCharsets.UTF_8);
            StorableText.checked("metadata", twice);
            return twice;
        } catch (IllegalArgumentException notEncoded) {
            throw BivouacException.invalidRequest("metadata is not encoded as a query string.");
        }
    }
}
