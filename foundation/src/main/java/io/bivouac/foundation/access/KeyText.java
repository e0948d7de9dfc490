package io.bivouac.foundation.access;

import io.bivouac.sandboxmodel.Sha256;
import java.security.SecureRandom;

/** The text of a key, which only its holder has. */
public record KeyText(String value) {
    /** What every key that we make begins with; an operator's own may begin otherwise. */
    public static final String START = "bvk_";

    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int RANDOM_CHARACTERS = 40;
    private static final int SHOWN = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    static KeyText next() {
        var text = new StringBuilder(START);
        RANDOM.ints(RANDOM_CHARACTERS, 0, ALPHABET.length()).forEach(i -> text.append(ALPHABET.charAt(i)));
        return new KeyText(text.toString());
    }

    /** Enough to recognise it, too little to use it; a short text of the operator's own shows less. */
    String prefix() {
        return value.substring(0, Math.min(SHOWN, value.length() / 4));
    }

    byte[] hash() {
        return Sha256.of(value);
    }

    @Override
    public String toString() {
        return prefix() + "…";
    }
}
