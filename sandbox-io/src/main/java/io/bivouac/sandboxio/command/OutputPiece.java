package io.bivouac.sandboxio.command;

import java.util.Arrays;

/**
 * A piece of what a command has written to its stdout.
 *
 * @param offset of its first byte, which is later than asked for where older output is no longer there
 * @param bytes not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record OutputPiece(long offset, byte[] bytes) {
    private static final int LONGEST_CHARACTER = 4;
    private static final int ASCII_END = 0x80;
    private static final int LEAD = 0xC0;

    /** All of it, or without the character that is cut at its end while there is more to come. */
    public byte[] wholeCharacters(boolean last) {
        if (last) {
            return bytes;
        }
        for (int at = bytes.length - 1; at >= Math.max(0, bytes.length - LONGEST_CHARACTER); at--) {
            int unit = bytes[at] & 0xFF;
            if (unit < ASCII_END) {
                return bytes;
            }
            if (unit >= LEAD) {
                int length = Integer.numberOfLeadingZeros(~(unit << 24));
                return at + length > bytes.length ? Arrays.copyOf(bytes, at) : bytes;
            }
        }
        return bytes;
    }
}
