package io.bivouac.sessions.acl;

import java.util.Set;

/** What an ACL can grant. None includes another, but for what is said here. */
public enum Mode {
    READ,
    WRITE,
    APPEND,
    CONTROL;

    /** Whoever may write may also append. */
    public static boolean isAmong(Set<Mode> granted, Mode wanted) {
        return granted.contains(wanted) || wanted == APPEND && granted.contains(WRITE);
    }
}
