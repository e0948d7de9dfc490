package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import java.util.Locale;

/**
 * What has happened below a watched folder.
 *
 * @param path empty for an overflow: some were missed, so look again
 * @param to where something is now that was moved; null for others
 */
public record FileEvent(Type type, String path, @Nullable String to, boolean folder) {
    /** What happened. */
    public enum Type {
        CREATED,
        CHANGED,
        REMOVED,
        MOVED,
        OVERFLOW;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
