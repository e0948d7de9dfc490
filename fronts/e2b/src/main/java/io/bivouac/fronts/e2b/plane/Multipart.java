package io.bivouac.fronts.e2b.plane;

import io.bivouac.sandboxmodel.error.BivouacException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the files of a form (RFC 7578) whose body is in memory. */
final class Multipart {
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]{1,70})\"?");
    private static final Pattern NAME = Pattern.compile("filename=\"([^\"]*)\"");

    private Multipart() {}

    /** @param name a path where the request names none */
    record Part(String name, byte[] contents) {}

    /** ISO 8859-1 has one character for each byte, so that texts have the offsets of the body. */
    static List<Part> read(String contentType, byte[] body) {
        var boundary = BOUNDARY.matcher(contentType);
        if (!boundary.find()) {
            throw BivouacException.invalidRequest("The form has no boundary.");
        }
        var text = new String(body, StandardCharsets.ISO_8859_1);
        var line = "--" + boundary.group(1);
        var parts = new ArrayList<Part>();
        int at = text.indexOf(line);
        while (at >= 0) {
            int head = at + line.length();
            int end = text.indexOf("\r\n" + line, head);
            int contents = text.indexOf("\r\n\r\n", head);
            if (end < 0 || contents < 0 || contents > end) {
                break;
            }
            var name = NAME.matcher(text.substring(head, contents));
            var path = name.find()
                    ? new String(name.group(1).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                    : "";
            parts.add(new Part(path, Arrays.copyOfRange(body, Math.min(contents + 4, end), end)));
            at = end + 2;
        }
        return parts;
    }
}
