package io.bivouac.foundation.share;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Map;

/** There is no place now: the caller's or the project's share is taken, or all places are. */
public final class ShareTaken extends BivouacException {
    private final Bound bound;

    ShareTaken(String pool, Bound bound, int limit) {
        super(
                bound == Bound.TOTAL ? ErrorCode.UNAVAILABLE : ErrorCode.SHARE_LIMIT_EXCEEDED,
                sentence(pool, bound, limit),
                Map.of("share", pool, "bound", bound.wireName(), "limit", limit));
        this.bound = bound;
    }

    public Bound bound() {
        return bound;
    }

    private static String sentence(String pool, Bound bound, int limit) {
        return switch (bound) {
            case CALLER ->
                "This caller has " + limit + " " + pool + " at once, which is the share of one caller; end one first,"
                        + " or try again later.";
            case PROJECT ->
                "This project has " + limit + " " + pool + " at once, which is its share; end one first, or try again"
                        + " later.";
            case TOTAL ->
                "There are " + limit + " " + pool + " at once, which is all that this server takes; try again later.";
        };
    }
}
