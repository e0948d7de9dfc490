package io.bivouac.sandboxmodel;

import java.security.SecureRandom;
import java.util.Arrays;

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
        var random = new byte[LENGTH - TIME_CHARACTERS];
        RANDOM.nextBytes(random);
        return of(prefix, millis, random);
    }

    /** The id that belongs to a time and to bytes that somebody else chose; missing bytes count as zero. */
    public static String of(String prefix, long millis, byte[] bytes) {
        var characters = new char[LENGTH];
        long time = millis;
        for (int i = TIME_CHARACTERS - 1; i >= 0; i--) {
            characters[i] = ALPHABET[(int) (time & 31)];
            time >>>= 5;
        }
        for (int i = TIME_CHARACTERS; i < LENGTH; i++) {
            int index = i - TIME_CHARACTERS;
            characters[i] = ALPHABET[index < bytes.length ? bytes[index] & 31 : 0];
        }
        return prefix + new String(characters);
    }

    /** When an id that {@link #matches} was made. */
    public static long millisOf(String prefix, String id) {
        long millis = 0;
        for (int i = prefix.length(); i < prefix.length() + TIME_CHARACTERS; i++) {
            millis = millis << 5 | Math.max(0, Arrays.binarySearch(ALPHABET, id.charAt(i)));
        }
        return millis;
    }

    /** Whether the text has the shape of an id with this prefix. */
    public static boolean matches(String prefix, String text) {
        if (text.length() != prefix.length() + LENGTH || !text.startsWith(prefix)) {
            return false;
        }
        for (int i = prefix.length(); i < text.length(); i++) {
            char character = text.charAt(i);
            if ((character < '0' || character > '9') && (character < 'a' || character > 'z')) {
                return false;
            }
        }
        return true;
    }
}
