package io.bivouac.fronts.opensandbox.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.memory.Purpose;
import io.bivouac.foundation.paging.Page;
import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.http.Answers;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.store.SandboxFilter;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists the project's sandboxes by numbered pages. */
@Controller("/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class ListSandboxes {
    static final int USUAL_PAGE = 20;

    /** Of one sandbox, as far as memory is counted. */
    private static final int USUAL_BYTES = 1024;

    private final Sandboxes sandboxes;
    private final Answers answers;

    ListSandboxes(Sandboxes sandboxes, Answers answers) {
        this.sandboxes = sandboxes;
        this.answers = answers;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Listed(List<SandboxView> items, Pagination pagination) {}

    /** @param page the first is 1 */
    @Serdeable
    record Pagination(int page, int pageSize, int totalItems, int totalPages, boolean hasNextPage) {}

    @Get
    Listed list(
            @Nullable @QueryValue Integer page,
            @Nullable @QueryValue Integer pageSize,
            HttpRequest<?> request,
            Caller caller) {
        int number = within("page", page, 1, Integer.MAX_VALUE / Page.LARGEST_LIMIT);
        int size = within("pageSize", pageSize == null ? Integer.valueOf(USUAL_PAGE) : pageSize, 1, Page.LARGEST_LIMIT);
        var states = request.getParameters().getAll("state");
        var found = all(caller, labels(request.getParameters().get("metadata"))).stream()
                .filter(sandbox ->
                        states.isEmpty() || states.contains(sandbox.status().state()))
                .toList();
        int from = Math.min(found.size(), (number - 1) * size);
        int to = Math.min(found.size(), from + size);
        int pages = (found.size() + size - 1) / size;
        return new Listed(
                found.subList(from, to), new Pagination(number, size, found.size(), pages, to < found.size()));
    }

    private static int within(String name, @Nullable Integer number, int least, int most) {
        int given = number == null ? least : number;
        if (given < least || given > most) {
            throw BivouacException.invalidRequest(name + " must be between " + least + " and " + most + ".");
        }
        return given;
    }

    /** A page has the number of all in it, so all are counted; a project has only so many. */
    private List<SandboxView> all(Caller caller, Map<String, String> labels) {
        return answers.held(
                Purpose.LISTING,
                caller,
                Page.LARGEST_BYTES,
                () -> {
                    var all = new ArrayList<SandboxView>();
                    String cursor = null;
                    do {
                        var page = sandboxes.list(
                                caller, new SandboxFilter(null, null, labels, cursor, Page.LARGEST_LIMIT));
                        page.items().stream().map(SandboxView::of).forEach(all::add);
                        cursor = page.nextCursor();
                    } while (cursor != null);
                    return all;
                },
                all -> (long) all.size() * USUAL_BYTES);
    }

    /** A query string within the query. One SDK encodes its names and values, the other does not. */
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

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return text;
        }
    }
}
