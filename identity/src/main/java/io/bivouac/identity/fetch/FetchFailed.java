package io.bivouac.identity.fetch;

/** A document could not be had; the message says why, in words for whoever named it. */
public class FetchFailed extends Exception {
    private final boolean temporary;

    public FetchFailed(String message, boolean temporary) {
        super(message);
        this.temporary = temporary;
    }

    public static FetchFailed forGood(String message) {
        return new FetchFailed(message, false);
    }

    public static FetchFailed forNow(String message) {
        return new FetchFailed(message, true);
    }

    /** Whether it may well be there a little later. */
    public boolean isTemporary() {
        return temporary;
    }
}
