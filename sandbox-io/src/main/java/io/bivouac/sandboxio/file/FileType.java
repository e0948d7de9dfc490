package io.bivouac.sandboxio.file;

import java.util.Locale;

/** What there is at a path. */
public enum FileType {
    FILE,
    FOLDER,
    LINK,
    OTHER;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
