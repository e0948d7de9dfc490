package io.bivouac.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** The shape of every listing; {@code nextCursor} is null on the last page. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Listing<T>(List<T> items, @Nullable String nextCursor) {
    public static <T> Listing<T> of(Page<T> page) {
        return new Listing<>(page.items(), page.nextCursor());
    }

    /** The asked limit, or the usual one. */
    public static int limit(@Nullable Integer asked) {
        if (asked == null) {
            return Page.DEFAULT_LIMIT;
        }
        if (asked < 1 || asked > Page.LARGEST_LIMIT) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "limit must be between 1 and " + Page.LARGEST_LIMIT + ".");
        }
        return asked;
    }

    /** A cursor that is a number. */
    public static long number(@Nullable String cursor, long whenAbsent) {
        if (cursor == null) {
            return whenAbsent;
        }
        try {
            return Long.parseLong(cursor);
        } catch (NumberFormatException foreign) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "This cursor did not come from here.");
        }
    }
}
