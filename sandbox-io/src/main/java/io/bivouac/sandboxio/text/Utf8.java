package io.bivouac.sandboxio.text;

/** Looks at one character of more than one byte (RFC 3629, section 4). */
public final class Utf8 {
    /** The character goes on after the end. */
    public static final int CUT = 0;

    public static final int INVALID = -1;

    private Utf8() {}

    /** How many bytes the character at the index has. */
    public static int length(byte[] text, int at, int end) {
        int first = text[at] & 0xFF;
        int length;
        int lowest = 0x80;
        int highest = 0xBF;
        if (first >= 0xC2 && first <= 0xDF) {
            length = 2;
        } else if (first >= 0xE0 && first <= 0xEF) {
            length = 3;
            // No overlong forms, no surrogates.
            lowest = first == 0xE0 ? 0xA0 : lowest;
            highest = first == 0xED ? 0x9F : highest;
        } else if (first >= 0xF0 && first <= 0xF4) {
            length = 4;
            // No overlong forms, nothing past U+10FFFF.
            lowest = first == 0xF0 ? 0x90 : lowest;
            highest = first == 0xF4 ? 0x8F : highest;
        } else {
            return INVALID;
        }
        for (int i = 1; i < length; i++) {
            if (at + i >= end) {
                return CUT;
            }
            int next = text[at + i] & 0xFF;
            if (next < lowest || next > highest) {
                return INVALID;
            }
            lowest = 0x80;
            highest = 0xBF;
        }
        return length;
    }
}
