package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import java.util.regex.Pattern;

/**
 * A part of an upload, as {@code Content-Range} says it: {@code bytes 0-499/1000}, or {@code bytes *}{@code /1000} to ask how
 * much has come.
 *
 * @param offset where it begins; null to ask
 */
public record UploadPart(@Nullable Long offset, @Nullable Long last, long total) {
    private static final Pattern HEADER = Pattern.compile("bytes (?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18})");

    public UploadPart {
        if (offset != null && (last == null || last < offset || last >= total)) {
            throw expected();
        }
    }

    static @Nullable UploadPart read(@Nullable String header) {
        if (header == null) {
            return null;
        }
        var matcher = HEADER.matcher(header.strip());
        if (!matcher.matches()) {
            throw expected();
        }
        return new UploadPart(number(matcher.group(1)), number(matcher.group(2)), Long.parseLong(matcher.group(3)));
    }

    private static @Nullable Long number(@Nullable String digits) {
        return digits == null ? null : Long.valueOf(digits);
    }

    private static RuntimeException expected() {
        return FileRequests.invalid(
                "Content-Range must be like \"bytes 0-499/1000\", or \"bytes */1000\" to ask how much has come.");
    }
}
