package io.bivouac.sandboxmodel;

/**
 * What a sandbox in {@code stopping} is on its way to. Stored with the state, so that whoever finishes the
 * work after a crash keeps the promise that was made.
 */
public record Teardown(Purpose purpose, boolean keepWorkspace) {
    /** Where it ends. */
    public enum Purpose {
        /** Stopped by its user; can be started again. */
        STOP,
        /** Its time is over: the instance goes, the row stays as stopped. */
        EXPIRE,
        /** Its time is over: stopped with its files, as its maker wants it; can be started again. */
        STOP_AT_EXPIRY,
        /** Gone for good. */
        DELETE
    }

    public static Teardown stop() {
        return new Teardown(Purpose.STOP, true);
    }

    public static Teardown expire(boolean keepWorkspace) {
        return new Teardown(Purpose.EXPIRE, keepWorkspace);
    }

    public static Teardown stopAtExpiry() {
        return new Teardown(Purpose.STOP_AT_EXPIRY, true);
    }

    public static Teardown delete(boolean keepWorkspace) {
        return new Teardown(Purpose.DELETE, keepWorkspace);
    }
}
