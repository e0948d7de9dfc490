package io.bivouac.identity.fetch;

import io.micronaut.core.annotation.Nullable;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * What was found at an address.
 *
 * @param url where it was found in the end, after redirects
 * @param type its media type, without parameters, in small letters
 * @param links its Link headers
 */
public record Document(
        URI url,
        int status,
        String type,
        byte[] body,
        @Nullable String location,
        List<String> links) {
    private static final int OK = 200;

    static String typeOf(@Nullable String header) {
        return header == null ? "" : header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    public boolean isFound() {
        return status == OK;
    }

    boolean isRedirect() {
        return switch (status) {
            case 301, 302, 303, 307, 308 -> location != null;
            default -> false;
        };
    }
}
