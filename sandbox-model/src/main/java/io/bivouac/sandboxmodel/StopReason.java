package io.bivouac.sandboxmodel;

/** Who stopped a stopped sandbox. */
public enum StopReason {
    USER,
    /** Its time is over for good. */
    EXPIRED,
    /** Its time was over, and its maker wants it stopped then: it can be started again. */
    TIME_OVER;

    /** Both ends by time are {@code expired}: the state tells them apart. */
    public String wireName() {
        return switch (this) {
            case USER -> "user";
            case EXPIRED, TIME_OVER -> "expired";
        };
    }
}
