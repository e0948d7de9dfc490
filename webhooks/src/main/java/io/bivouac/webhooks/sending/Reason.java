package io.bivouac.webhooks.sending;

import io.bivouac.foundation.network.AddressRefused;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/**
 * Why there was no answer, in a line that can be stored and shown. What broke is often quoted in it, in the receiver's
 * own bytes.
 */
final class Reason {
    static final int LONGEST = 200;
    private static final int UNKNOWN = 0xFFFD;

    private Reason() {}

    static String of(Throwable failure) {
        var cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return clean(
                switch (cause) {
                    case UnknownHostException unknown -> "the name cannot be looked up: " + unknown.getMessage();
                    case TimeoutException slow -> "the name was not looked up in time";
                    case AddressRefused refused -> "the address is not allowed: " + refused.getMessage();
                    default -> cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
                });
    }

    /** PostgreSQL's JSON takes neither a NUL nor half of a pair; a page takes no other control characters. */
    static String clean(String text) {
        return text.codePoints()
                .limit(LONGEST)
                .map(character -> isPlain(character) ? character : UNKNOWN)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isPlain(int character) {
        return !Character.isISOControl(character) && Character.getType(character) != Character.SURROGATE;
    }
}
