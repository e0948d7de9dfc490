package io.bivouac.http;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;

/** Checks texts of requests that are stored as they are. */
public final class RequestText {
    private RequestText() {}

    /** PostgreSQL stores no NUL, and half of a surrogate pair is no character. */
    public static String storable(String field, String text) {
        boolean storable = text.codePoints().noneMatch(point -> point == 0 || isSurrogate(point));
        if (!storable) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, field + " may have neither NUL nor half of a surrogate pair.");
        }
        return text;
    }

    private static boolean isSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }

    /** The framework would take whatever it does not know for false. */
    public static boolean flag(String field, @Nullable String text) {
        return switch (text) {
            case null -> false;
            case "true" -> true;
            case "false" -> false;
            default -> throw new BivouacException(ErrorCode.INVALID_REQUEST, field + " must be true or false.");
        };
    }
}
