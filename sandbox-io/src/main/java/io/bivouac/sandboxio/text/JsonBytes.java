package io.bivouac.sandboxio.text;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** Writes JSON as bytes, checking UTF-8 and escaping in one pass over the text. Not thread-safe. */
public final class JsonBytes {
    public static final int NOT_UTF8 = -1;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_ESCAPE = 6;

    private byte[] bytes;
    private int size;

    public JsonBytes(int capacity) {
        bytes = new byte[capacity];
    }

    public int size() {
        return size;
    }

    /** Takes back what was written after this size. */
    public void rewind(int to) {
        size = to;
    }

    public JsonBytes raw(String text) {
        return raw(text.getBytes(StandardCharsets.UTF_8));
    }

    public JsonBytes raw(byte[] text) {
        copy(text, 0, text.length);
        return this;
    }

    public JsonBytes escaped(String text) {
        var utf8 = text.getBytes(StandardCharsets.UTF_8);
        escaped(utf8, 0, utf8.length);
        return this;
    }

    /**
     * Writes the text between the indices as the inside of a JSON string. Gives the index after the last whole
     * character, which is less than the end when a character is cut there, or {@link #NOT_UTF8}.
     */
    public int escaped(byte[] text, int from, int to) {
        int plainFrom = from;
        int i = from;
        while (i < to) {
            byte b = text[i];
            if (b >= ' ' && b != '"' && b != '\\') {
                i++;
            } else if (b < 0) {
                int length = Utf8.length(text, i, to);
                if (length == Utf8.CUT) {
                    break;
                }
                if (length == Utf8.INVALID) {
                    return NOT_UTF8;
                }
                i += length;
            } else {
                copy(text, plainFrom, i);
                escape(b);
                plainFrom = ++i;
            }
        }
        copy(text, plainFrom, i);
        return i;
    }

    public void base64(byte[] data) {
        raw(Base64.getEncoder().encode(data));
    }

    private void escape(byte b) {
        room(LONGEST_ESCAPE);
        bytes[size++] = '\\';
        switch (b) {
            case '\n' -> bytes[size++] = 'n';
            case '\r' -> bytes[size++] = 'r';
            case '\t' -> bytes[size++] = 't';
            case '"', '\\' -> bytes[size++] = b;
            default -> {
                bytes[size++] = 'u';
                bytes[size++] = '0';
                bytes[size++] = '0';
                bytes[size++] = HEX[b >> 4];
                bytes[size++] = HEX[b & 15];
            }
        }
    }

    private void copy(byte[] text, int from, int to) {
        room(to - from);
        System.arraycopy(text, from, bytes, size, to - from);
        size += to - from;
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length + (bytes.length >> 1)));
        }
    }

    /** What was written; it is not to be written to any more. */
    public ByteBuf done() {
        return Unpooled.wrappedBuffer(bytes, 0, size);
    }

    /** A copy of what was written. */
    public byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }
}
