package io.bivouac.sandboxio.file;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Reads what requests about files say. */
final class FileRequests {
    private static final int LONGEST_PATH = 4_096;
    private static final int OCTAL = 8;
    private static final Pattern MODE = Pattern.compile("(?:0o)?([0-7]{1,5})");
    private static final int HIGHEST_MODE = 07777;

    private FileRequests() {}

    static BivouacException invalid(String detail) {
        return BivouacException.invalidRequest(detail);
    }

    static String path(String field, @Nullable String path) {
        if (path == null || path.isEmpty()) {
            throw invalid(field + " is missing.");
        }
        if (path.length() > LONGEST_PATH || path.indexOf('\0') >= 0) {
            throw invalid(field + " must have at most " + LONGEST_PATH + " characters, and no NUL.");
        }
        return path;
    }

    /** Null for none. */
    static @Nullable Integer mode(@Nullable String text) {
        if (text == null) {
            return null;
        }
        var matcher = MODE.matcher(text);
        int mode = matcher.matches() ? Integer.parseInt(matcher.group(1), OCTAL) : Integer.MAX_VALUE;
        if (mode > HIGHEST_MODE) {
            throw invalid("mode must be octal, such as 0644.");
        }
        return mode;
    }

    /** The versions in an If-Match or If-None-Match header. */
    static List<String> versions(@Nullable String header) {
        return header == null
                ? List.of()
                : Arrays.stream(header.split(","))
                        .map(String::strip)
                        .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                        .map(tag -> tag.replace("\"", ""))
                        .filter(tag -> !tag.isEmpty())
                        .toList();
    }
}
