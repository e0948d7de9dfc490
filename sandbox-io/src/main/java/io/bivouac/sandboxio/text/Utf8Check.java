package io.bivouac.sandboxio.text;

/** Says whether bytes that come in pieces are UTF-8, without decoding them. Not thread-safe. */
public final class Utf8Check {
    private static final int LONGEST_CHARACTER = 4;

    private final byte[] cut = new byte[LONGEST_CHARACTER];
    private int cutLength;
    private boolean valid = true;

    public void add(byte[] text, int from, int to) {
        int at = from;
        while (valid && cutLength > 0 && at < to) {
            cut[cutLength++] = text[at++];
            int length = Utf8.length(cut, 0, cutLength);
            valid = length != Utf8.INVALID;
            cutLength = length == Utf8.CUT ? cutLength : 0;
        }
        while (valid && at < to) {
            if (text[at] >= 0) {
                at++;
                continue;
            }
            int length = Utf8.length(text, at, to);
            if (length == Utf8.CUT) {
                cutLength = to - at;
                System.arraycopy(text, at, cut, 0, cutLength);
                return;
            }
            valid = length != Utf8.INVALID;
            at += length;
        }
    }

    /** All that was added is UTF-8, and its last character is there to the end. */
    public boolean isWhole() {
        return valid && cutLength == 0;
    }
}
