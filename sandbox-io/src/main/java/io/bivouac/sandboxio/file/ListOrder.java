package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;

/**
 * Which page of which folder.
 *
 * @param depth 1 for the folder's own entries
 * @param after what the page before said; null for the first
 */
public record ListOrder(
        String path, int depth, int limit, @Nullable byte[] after) {
    public static final int DEFAULT_LIMIT = 1_000;
    public static final int LARGEST_LIMIT = 10_000;
    public static final int DEEPEST = 16;

    public ListOrder {
        if (limit < 1 || limit > LARGEST_LIMIT) {
            throw FileRequests.invalid("limit must be between 1 and " + LARGEST_LIMIT + ".");
        }
        if (depth < 1 || depth > DEEPEST) {
            throw FileRequests.invalid("depth must be between 1 and " + DEEPEST + ".");
        }
    }
}
