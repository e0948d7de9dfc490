package io.bivouac.launcher;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.stream.Collectors;

/** What nobody can guess. */
final class Secrets {
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int KEY_LENGTH = 40;
    private static final int SECRET_BYTES = 32;
    private static final SecureRandom random = new SecureRandom();

    private Secrets() {}

    static String apiKey() {
        return random.ints(KEY_LENGTH, 0, LETTERS.length())
                .mapToObj(index -> String.valueOf(LETTERS.charAt(index)))
                .collect(Collectors.joining("", "bvk_", ""));
    }

    static String secretKey() {
        var bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
