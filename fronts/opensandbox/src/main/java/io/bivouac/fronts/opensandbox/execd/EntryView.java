package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.bivouac.sandboxio.file.FileEntry;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/**
 * A file as OpenSandbox's SDKs read it.
 *
 * @param mode octal digits as a decimal number: 644
 * @param createdAt when it was changed last, as that is what a sandbox knows
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record EntryView(
        String path,
        String type,
        long size,
        int mode,
        String owner,
        String group,
        @JsonProperty("modified_at") Instant modifiedAt,
        @JsonProperty("created_at") Instant createdAt) {
    private static final int PERMISSIONS = 0777;

    static EntryView of(FileEntry entry) {
        return new EntryView(
                entry.path(),
                switch (entry.type()) {
                    case FILE -> "file";
                    case FOLDER -> "directory";
                    case LINK -> "symlink";
                    case OTHER -> "other";
                },
                entry.size(),
                Permission.digits(entry.mode() & PERMISSIONS),
                entry.user(),
                entry.group(),
                entry.modifiedAt(),
                entry.modifiedAt());
    }
}
