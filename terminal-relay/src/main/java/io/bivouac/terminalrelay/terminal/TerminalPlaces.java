package io.bivouac.terminalrelay.terminal;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Projects;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Map;

/**
 * How many terminals there may be: a generous number in a sandbox, a project's limit, and a total. Terminal sessions are
 * bounded for each caller and in all as well. Thread-safe.
 */
@Singleton
class TerminalPlaces {
    /** No sandbox has this name. */
    private static final String NONE_YET = "";

    private final TerminalRows rows;
    private final Projects projects;
    private final TerminalSettings settings;

    TerminalPlaces(TerminalRows rows, Projects projects, TerminalSettings settings) {
        this.rows = rows;
        this.projects = projects;
        this.settings = settings;
    }

    /** One at a time counts, until its transaction ends. */
    void lock() {
        rows.lockPlaces();
    }

    /** @param sandbox null where one is yet to be made */
    void mustHaveOne(Door door, @Nullable SandboxId sandbox, Caller caller) {
        var counts = rows.counts(caller.project(), caller.id(), sandbox == null ? NONE_YET : sandbox.value());
        if (door == Door.SESSION) {
            check(counts.own(), settings.getPerUser(), door, "terminal sessions of this caller");
            check(counts.shared(), settings.getSessionsPerProject(), door, "terminal sessions of this project");
            check(counts.sessions(), settings.getTotal(), door, "terminal sessions of all callers together");
        }
        check(counts.sandbox(), settings.getPerSandbox(), door, "terminals in this sandbox");
        check(counts.project(), projects.limits(caller.project()).terminals(), door, "terminals of this project");
        if (counts.every() >= settings.getMost()) {
            throw new NoPlace(ErrorCode.UNAVAILABLE, settings.getMost(), "terminals of all projects together");
        }
    }

    private static void check(long live, int limit, Door door, String whose) {
        if (live >= limit) {
            throw new NoPlace(door.full(), limit, whose);
        }
    }

    /** All places are taken that this terminal could have. */
    static final class NoPlace extends BivouacException {
        NoPlace(ErrorCode code, int limit, String whose) {
            super(
                    code,
                    "There are " + limit + " " + whose
                            + ", which is the limit. See them with GET /api/v1/terminals and end one with"
                            + " DELETE /api/v1/terminals/{id}; an idle shell without a client gives way by itself.",
                    Map.of("limit", limit));
        }
    }
}
