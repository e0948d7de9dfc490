package io.bivouac.sandboxes;

import java.security.SecureRandom;

/** Ids of 26 characters after a prefix: 48 bits of time, then 80 random ones, so that they sort by birth. */
public final class SortableId {
    private static final char[] ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
    private static final int LENGTH = 26;
    private static final int TIME_CHARACTERS = 10;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SortableId() {}

    public static String next(String prefix) {
        return next(prefix, System.currentTimeMillis());
    }

    static String next(String prefix, long millis) {
        var characters = new char[LENGTH];
        long time = millis;
        for (int i = TIME_CHARACTERS - 1; i >= 0; i--) {
            characters[i] = ALPHABET[(int) (time & 31)];
            time >>>= 5;
        }
        var random = new byte[LENGTH - TIME_CHARACTERS];
        RANDOM.nextBytes(random);
        for (int i = 0; i < random.length; i++) {
            characters[TIME_CHARACTERS + i] = ALPHABET[random[i] & 31];
        }
        return prefix + new String(characters);
    }

    /** Whether the text has the shape of an id with this prefix. */
    public static boolean matches(String prefix, String text) {
        return text.length() == prefix.length() + LENGTH
                && text.startsWith(prefix)
                && text.chars()
                        .skip(prefix.length())
                        .allMatch(character ->
                                (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z'));
    }
}
