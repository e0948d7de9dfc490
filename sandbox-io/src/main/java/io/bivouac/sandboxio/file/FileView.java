package io.bivouac.sandboxio.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/**
 * A file, folder or link as a client sees it.
 *
 * @param mode octal, such as 0644
 * @param target what a link says
 * @param etag for If-Match and If-None-Match
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record FileView(
        String path,
        String name,

        @Schema(allowableValues = {"file", "folder", "link", "other"})
        String type,

        long size,
        String mode,
        String user,
        String group,
        Instant modifiedAt,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String target,
        String etag) {
    static FileView of(FileEntry entry) {
        return new FileView(
                entry.path(),
                entry.name(),
                entry.type().wireName(),
                entry.size(),
                "%04o".formatted(entry.mode()),
                entry.user(),
                entry.group(),
                entry.modifiedAt(),
                entry.target(),
                entry.etag());
    }
}
