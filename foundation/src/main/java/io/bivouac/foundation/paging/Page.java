package io.bivouac.foundation.paging;

import io.micronaut.core.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A part of a listing, and where the next one begins.
 *
 * @param bytes about how many the items have as JSON
 */
public record Page<T>(List<T> items, @Nullable String nextCursor, long bytes) {
    public static final int DEFAULT_LIMIT = 50;
    public static final int LARGEST_LIMIT = 500;

    /** A page ends before the item that goes beyond this, unless it is the first one. */
    public static final int LARGEST_BYTES = 512 * 1024;

    /**
     * The frame of a window over the items before one, for statements that give no more items than {@link #of} needs:
     * they end with the first one that goes beyond {@link #LARGEST_BYTES}.
     */
    public static final String BEFORE = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING";

    /** The fields of an item that have a small bound of their own. */
    private static final int SMALL_FIELDS = 1024;

    public Page {
        items = List.copyOf(items);
    }

    /** From one more item than was asked for, which tells whether there is a next page. For items of small fields. */
    public static <T> Page<T> of(List<T> oneMore, int limit, Function<T, String> cursor) {
        return of(oneMore, limit, cursor, _ -> 0);
    }

    /** The same for items with large fields, whose bytes are measured just as the statement has measured them. */
    public static <T> Page<T> of(
            List<T> oneMore, int limit, Function<T, String> cursor, ToLongFunction<T> largeFields) {
        var items = new ArrayList<T>(Math.min(oneMore.size(), limit));
        long large = 0;
        for (var item : oneMore) {
            long bytes = largeFields.applyAsLong(item);
            if (items.size() == limit || (!items.isEmpty() && large + bytes > LARGEST_BYTES)) {
                break;
            }
            items.add(item);
            large += bytes;
        }
        boolean more = items.size() < oneMore.size();
        return new Page<>(
                items, more ? cursor.apply(items.getLast()) : null, large + (long) SMALL_FIELDS * items.size());
    }

    /** How many bytes texts have in UTF-8, as PostgreSQL's octet_length counts them. */
    public static long utf8(String... texts) {
        long bytes = 0;
        for (var text : texts) {
            for (int i = 0; i < text.length(); i++) {
                char unit = text.charAt(i);
                // Two surrogates are one character of four bytes.
                bytes += unit < 0x80 ? 1 : unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
            }
        }
        return bytes;
    }

    public <R> Page<R> map(Function<T, R> view) {
        return new Page<>(items.stream().map(view).toList(), nextCursor, bytes);
    }
}
