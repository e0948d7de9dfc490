package io.bivouac.sandboxio.text;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;

/**
 * Bytes as the inside of JSON strings. A character that is cut waits for its rest; what is no UTF-8 becomes
 * U+FFFD. Not thread-safe.
 */
public final class LossyText {
    private static final byte[] REPLACEMENT = "\uFFFD".getBytes(StandardCharsets.UTF_8);

    private ByteString cut = ByteString.EMPTY;

    /** False when nothing was written: all there is so far is the beginning of a character. */
    public boolean write(ByteString data, JsonBytes json) {
        var bytes = (cut.isEmpty() ? data : cut.concat(data)).toByteArray();
        cut = ByteString.EMPTY;
        int at = 0;
        while (at < bytes.length) {
            int before = json.size();
            int end = json.escaped(bytes, at, bytes.length);
            if (end == JsonBytes.NOT_UTF8) {
                json.rewind(before);
                int invalid = firstInvalid(bytes, at);
                json.escaped(bytes, at, invalid);
                json.raw(REPLACEMENT);
                at = invalid + 1;
            } else {
                cut = ByteString.copyFrom(bytes, end, bytes.length - end);
                return end > 0;
            }
        }
        return true;
    }

    /** How many bytes wait for the rest of their character. */
    public int cutBytes() {
        return cut.size();
    }

    /** What no longer gets its rest. */
    public boolean end(JsonBytes json) {
        if (cut.isEmpty()) {
            return false;
        }
        cut = ByteString.EMPTY;
        json.raw(REPLACEMENT);
        return true;
    }

    private static int firstInvalid(byte[] bytes, int from) {
        int at = from;
        while (true) {
            if (bytes[at] >= 0) {
                at++;
            } else {
                int length = Utf8.length(bytes, at, bytes.length);
                if (length == Utf8.INVALID) {
                    return at;
                }
                at += length;
            }
        }
    }
}
