package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import java.util.Arrays;

/** How a folder is packed. */
public enum ArchiveFormat {
    TAR("tar", "application/x-tar"),
    TAR_GZ("tar.gz", "application/gzip"),
    ZIP("zip", "application/zip");

    private final String wireName;
    private final String mediaType;

    ArchiveFormat(String wireName, String mediaType) {
        this.wireName = wireName;
        this.mediaType = mediaType;
    }

    public String wireName() {
        return wireName;
    }

    String mediaType() {
        return mediaType;
    }

    /** A tar unless it says otherwise. */
    static ArchiveFormat read(@Nullable String text) {
        return text == null
                ? TAR
                : Arrays.stream(values())
                        .filter(format -> format.wireName.equals(text))
                        .findFirst()
                        .orElseThrow(() -> FileRequests.invalid("format must be tar, tar.gz or zip."));
    }
}
