package io.bivouac.fronts.mcp;

/** Text of any length, of which the beginning and the end are kept. Used by one thread at a time. */
final class BoundedText {
    /** Characters of each end: a conversation has no room for a whole build log. */
    static final int EACH_END = 32 * 1024;

    private final StringBuilder head = new StringBuilder();
    private final StringBuilder tail = new StringBuilder();
    private long left;

    void add(String piece) {
        int room = Math.min(piece.length(), EACH_END - head.length());
        head.append(piece, 0, room);
        tail.append(piece, room, piece.length());
        int over = tail.length() - EACH_END;
        if (over > 0) {
            tail.delete(0, over);
            left += over;
        }
    }

    boolean isCut() {
        return left > 0;
    }

    @Override
    public String toString() {
        return isCut() ? head + "\n[" + left + " characters left out]\n" + tail : head.toString() + tail;
    }
}
