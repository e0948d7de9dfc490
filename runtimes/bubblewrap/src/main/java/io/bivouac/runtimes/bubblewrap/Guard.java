package io.bivouac.runtimes.bubblewrap;

/** One thing that isolates a sandbox, under the name by which its agent or supervisor knows it. */
enum Guard {
    // Put up by bubblewrap.
    NETWORK("network", true),
    PIDS("pids", true),
    IPC("ipc", true),
    UTS("uts", true),
    CGROUP("cgroup", true),
    USER_RANGE("userRange", true),
    NEW_SESSION("newSession", true),
    OWN_ROOT("ownRoot", true),
    READ_ONLY("readOnly", true),

    // Put up by the agent.
    SECCOMP("seccomp", false),
    NO_NEW_PRIVS("noNewPrivs", false),
    DROP_CAPABILITIES("dropCapabilities", false),
    SWITCH_USER("switchUser", false),
    NOT_DUMPABLE("notDumpable", false);

    private final String key;
    private final boolean outer;

    Guard(String key, boolean outer) {
        this.key = key;
        this.outer = outer;
    }

    String key() {
        return key;
    }

    /** Whether bubblewrap puts it up, rather than the agent inside. */
    boolean isOuter() {
        return outer;
    }
}
