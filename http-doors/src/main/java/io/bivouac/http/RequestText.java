package io.bivouac.http;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;

/** Reads texts of requests. */
public final class RequestText {
    private RequestText() {}

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
