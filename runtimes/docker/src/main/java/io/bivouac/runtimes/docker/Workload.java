package io.bivouac.runtimes.docker;

import java.util.regex.Pattern;

/** Whom commands run as, and where. */
final class Workload {
    static final int UID = 1000;
    static final int GID = 1000;
    static final String NAME = "sandbox";
    static final String HOME = "/home/sandbox";
    static final String WORKSPACE = "/workspace";

    /** As the engine writes it. */
    static final String USER = UID + ":" + GID;

    private static final Pattern USER_SYNTAX = Pattern.compile("[a-z_][a-z0-9_.-]{0,31}|\\d{1,9}(:\\d{1,9})?");

    private Workload() {}

    /** A name, a uid or {@code UID:GID}, so that nothing else reaches the engine. */
    static boolean isUser(String user) {
        return USER_SYNTAX.matcher(user).matches();
    }
}
