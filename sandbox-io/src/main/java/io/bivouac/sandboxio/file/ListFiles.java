package io.bivouac.sandboxio.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Base64;
import java.util.List;
import reactor.core.publisher.Mono;

/** The entries of a folder, page by page. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class ListFiles {
    private final Files files;

    ListFiles(Files files) {
        this.files = files;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "ListFiles.Files")
    record Listed(List<FileView> items, @Nullable String nextCursor) {}

    @Get
    @Operation(operationId = "listFiles", summary = "List a folder of a sandbox")
    Mono<Listed> list(
            String id,
            @QueryValue String path,
            @Parameter(schema = @Schema(minimum = "1", maximum = "16")) @Nullable @QueryValue Integer depth,
            @Parameter(schema = @Schema(minimum = "1", maximum = "10000")) @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller) {
        var order = new ListOrder(
                FileRequests.path("path", path),
                depth == null ? 1 : depth,
                limit == null ? ListOrder.DEFAULT_LIMIT : limit,
                read(cursor));
        return files.list(new FileUse(id, caller, user), order).map(ListFiles::view);
    }

    private static Listed view(FilePage page) {
        var next = page.next() == null
                ? null
                : Base64.getUrlEncoder().withoutPadding().encodeToString(page.next());
        return new Listed(page.entries().stream().map(FileView::of).toList(), next);
    }

    private static @Nullable byte[] read(@Nullable String cursor) {
        try {
            return cursor == null ? null : Base64.getUrlDecoder().decode(cursor);
        } catch (IllegalArgumentException foreign) {
            throw FileRequests.invalid("This cursor did not come from here.");
        }
    }
}
