package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import java.util.List;

/**
 * Where contents go, and under which conditions.
 *
 * @param mode null: as the file that is replaced, or 0644
 * @param parents whether missing folders above it are made
 * @param onlyNew only if there is nothing at the path
 * @param onlyIf only if the file has one of these versions; {@code *} for any; empty: whatever is there
 * @param part set for a part of an upload that may break off and go on
 */
public record WriteOrder(
        String path,
        @Nullable Integer mode,
        boolean parents,
        boolean onlyNew,
        List<String> onlyIf,
        @Nullable UploadPart part) {
    public static WriteOrder of(String path) {
        return new WriteOrder(path, null, false, false, List.of(), null);
    }
}
