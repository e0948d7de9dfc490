package io.bivouac.foundation.database;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;

/** Texts that the database stores as they are. */
public final class StorableText {
    private StorableText() {}

    /** PostgreSQL stores no NUL, and half of a surrogate pair is no character. */
    public static String checked(String field, String text) {
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
}
