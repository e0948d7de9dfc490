package io.bivouac.foundation.paging;

import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.function.Function;

/** A part of a listing, and where the next one begins. */
public record Page<T>(List<T> items, @Nullable String nextCursor) {
    public static final int DEFAULT_LIMIT = 50;
    public static final int LARGEST_LIMIT = 500;

    public Page {
        items = List.copyOf(items);
    }

    /** From one more item than was asked for, which tells whether there is a next page. */
    public static <T> Page<T> of(List<T> oneMore, int limit, Function<T, String> cursor) {
        if (oneMore.size() <= limit) {
            return new Page<>(oneMore, null);
        }
        var items = oneMore.subList(0, limit);
        return new Page<>(items, cursor.apply(items.getLast()));
    }

    public <R> Page<R> map(Function<T, R> view) {
        return new Page<>(items.stream().map(view).toList(), nextCursor);
    }
}
