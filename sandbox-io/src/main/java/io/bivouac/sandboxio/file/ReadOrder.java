package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import java.util.List;

/**
 * Which bytes of which file.
 *
 * @param range null for all
 * @param unless versions that the reader has already; {@code *} for any
 */
public record ReadOrder(String path, @Nullable ByteRange range, List<String> unless) {
    public static ReadOrder whole(String path) {
        return new ReadOrder(path, null, List.of());
    }
}
