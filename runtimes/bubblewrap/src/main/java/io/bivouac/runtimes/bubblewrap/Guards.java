package io.bivouac.runtimes.bubblewrap;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;

/** What isolates a sandbox. All on, except in tests that show what each of them is for. */
record Guards(Outer outer, Inner inner) {
    /** Put up by bubblewrap. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Outer(
            boolean network,
            boolean pids,
            boolean ipc,
            boolean uts,
            boolean cgroup,
            boolean userRange,
            boolean newSession) {}

    /** Put up by the agent, for each command. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Inner(
            boolean seccomp, boolean noNewPrivs, boolean dropCapabilities, boolean switchUser, boolean nestedSandbox) {}

    static final Guards ALL =
            new Guards(new Outer(true, true, true, true, true, true, true), new Inner(true, true, true, true, false));
}
