package io.bivouac.agentlink;

/**
 * How many messages nobody asked for one side may send: a few at once, and then so many a second. Used by one thread
 * at a time.
 */
public final class MessageBudget {
    private static final double NANOS = 1e9;

    private final int burst;
    private final double perSecond;
    private double left;
    private long at;

    public MessageBudget(int burst, double perSecond, long now) {
        this.burst = burst;
        this.perSecond = perSecond;
        this.left = burst;
        this.at = now;
    }

    /** False when it is spent. */
    public boolean take(long now) {
        left = Math.min(burst, left + (now - at) / NANOS * perSecond);
        at = now;
        if (left < 1) {
            return false;
        }
        left--;
        return true;
    }
}
