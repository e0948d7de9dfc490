package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.database.StorableText;
import io.bivouac.http.Answers;
import io.bivouac.http.Listing;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.store.SandboxFilter;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lists the project's sandboxes, the newest first. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListSandboxes {
    /** In which a sandbox can be seen. */
    private static final List<String> STATES = Stream.concat(
                    Arrays.stream(SandboxState.values())
                            .filter(state -> state != SandboxState.DELETED)
                            .map(SandboxState::wireName),
                    Stream.of(Sandbox.EXPIRED))
            .toList();

    private final Sandboxes sandboxes;
    private final ShownAddresses addresses;
    private final Answers answers;

    ListSandboxes(Sandboxes sandboxes, ShownAddresses addresses, Answers answers) {
        this.sandboxes = sandboxes;
        this.addresses = addresses;
        this.answers = answers;
    }

    /** @param label {@code key=value}; may be given several times, and all must fit */
    @Get
    @Operation(operationId = "listSandboxes", summary = "Lists the project's sandboxes, the newest first")
    Listing<SandboxView> list(
            @Parameter(
                            schema =
                                    @Schema(
                                            allowableValues = {
                                                "starting",
                                                "running",
                                                "paused",
                                                "stopping",
                                                "stopped",
                                                "expired",
                                                "error"
                                            }))
                    @Nullable @QueryValue
                    String state,
            @Nullable @QueryValue String template,
            @Parameter(schema = @Schema(pattern = "^[^=]+=", example = "team=a")) @Nullable @QueryValue String label,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) HttpRequest<?> request,
            @Parameter(hidden = true) Caller caller) {
        var filter = new SandboxFilter(
                state == null ? null : stateNamed(state),
                template,
                labels(request.getParameters().getAll("label")),
                cursor(cursor),
                Listing.limit(limit));
        var page = answers.page(caller, () -> sandboxes.list(caller, filter).map(SandboxView::of));
        return new Listing<>(addresses.addedTo(page.items(), caller), page.nextCursor());
    }

    private static String stateNamed(String name) {
        if (!STATES.contains(name)) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST,
                    "There is no state '" + name + "'; there are " + String.join(", ", STATES) + ".");
        }
        return name;
    }

    private static @Nullable String cursor(@Nullable String cursor) {
        if (cursor != null && !SortableId.matches(SandboxId.PREFIX, cursor)) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "This cursor did not come from here.");
        }
        return cursor;
    }

    /** From the request itself: the framework would split a value at its commas. */
    private static Map<String, String> labels(List<String> pairs) {
        var labels = new HashMap<String, String>();
        for (var pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new BivouacException(ErrorCode.INVALID_REQUEST, "label must look like key=value.");
            }
            StorableText.checked("label", pair);
            labels.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return labels;
    }
}
