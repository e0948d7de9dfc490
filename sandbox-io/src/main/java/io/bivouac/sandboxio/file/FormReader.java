package io.bivouac.sandboxio.file;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Reads a form (RFC 7578) part by part; what a part holds passes through and is never in memory as a whole. Used by one thread at
 * a time.
 */
public final class FormReader {
    private static final int BUFFER = 128 * 1024;
    private static final int LONGEST_HEAD = 16 * 1024;
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]{1,70})\"?");
    private static final Pattern NAME = Pattern.compile("(?<![a-z])name=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern FILE_NAME = Pattern.compile("filename=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final InputStream body;
    private final byte[] delimiter;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;

    /** Up to where the buffer has contents of the present part. */
    private int contentsEnd;

    private boolean delimited;
    private boolean over;

    public FormReader(String contentType, InputStream body) {
        var boundary = BOUNDARY.matcher(contentType);
        if (!boundary.find()) {
            throw BivouacException.invalidRequest("The form has no boundary.");
        }
        this.body = body;
        this.delimiter = ("\r\n--" + boundary.group(1)).getBytes(StandardCharsets.ISO_8859_1);
        // The first delimiter needs no line before it.
        buffer[0] = '\r';
        buffer[1] = '\n';
        limit = 2;
    }

    /** @param fileName empty where the part names none */
    public record Part(String name, String fileName, InputStream contents) {}

    /** The next part, whatever was left unread of the one before; null at the end of the form. */
    public @Nullable Part next() throws IOException {
        if (over) {
            return null;
        }
        while (hasContents()) {
            position = contentsEnd;
        }
        position += delimiter.length;
        delimited = false;
        if (nextByte() == '-') {
            over = true;
            return null;
        }
        // The rest of the line with the delimiter is a line feed; spaces before it are allowed.
        while (nextByte() != '\n') {}
        var head = head();
        contentsEnd = position;
        return new Part(value(NAME, head), value(FILE_NAME, head), new Contents());
    }

    private int nextByte() throws IOException {
        if (position == limit) {
            fill();
        }
        return buffer[position++];
    }

    private String head() throws IOException {
        var head = new ByteArrayOutputStream();
        int line = 0;
        while (true) {
            int next = nextByte();
            if (next == '\n') {
                if (line == 0) {
                    return head.toString(StandardCharsets.UTF_8);
                }
                line = 0;
            } else if (next != '\r') {
                line++;
            }
            head.write(next);
            if (head.size() > LONGEST_HEAD) {
                throw BivouacException.invalidRequest("A part of the form has a head that is too long.");
            }
        }
    }

    private static String value(Pattern pattern, String head) {
        var found = pattern.matcher(head);
        return found.find() ? found.group(1).replaceAll("\\\\(.)", "$1") : "";
    }

    /** Whether there is something at the position that belongs to the present part; waits for it. */
    private boolean hasContents() throws IOException {
        while (position >= contentsEnd) {
            if (delimited) {
                return false;
            }
            if (limit - position < delimiter.length) {
                fill();
            }
            look();
        }
        return true;
    }

    /** Finds the next delimiter in the buffer, or how far there is surely none. */
    private void look() {
        int last = limit - delimiter.length;
        for (int at = position; at <= last; at++) {
            if (buffer[at] == '\r' && isDelimiter(at)) {
                contentsEnd = at;
                delimited = true;
                return;
            }
        }
        contentsEnd = Math.max(position, last + 1);
    }

    private boolean isDelimiter(int at) {
        for (int i = 1; i < delimiter.length; i++) {
            if (buffer[at + i] != delimiter[i]) {
                return false;
            }
        }
        return true;
    }

    private void fill() throws IOException {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
        contentsEnd = 0;
        int read = body.read(buffer, limit, buffer.length - limit);
        if (read < 0) {
            throw BivouacException.invalidRequest("The form breaks off.");
        }
        limit += read;
    }

    /** What the present part holds. */
    private final class Contents extends InputStream {
        @Override
        public int read() throws IOException {
            return hasContents() ? buffer[position++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!hasContents()) {
                return -1;
            }
            int count = Math.min(length, contentsEnd - position);
            System.arraycopy(buffer, position, into, offset, count);
            position += count;
            return count;
        }
    }
}
