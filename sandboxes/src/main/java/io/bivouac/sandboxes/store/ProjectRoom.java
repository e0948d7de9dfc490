package io.bivouac.sandboxes.store;

import io.bivouac.foundation.access.ProjectLimits;
import io.bivouac.foundation.access.Projects;
import io.bivouac.sandboxmodel.ByteSize;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;

/**
 * Whether a project has room for one more sandbox. Asked in the transaction that stores the sandbox, under the project's
 * lock, so any number of creates at once stay within the limits. Thread-safe.
 */
@Singleton
class ProjectRoom {
    private final SandboxRows rows;
    private final Projects projects;

    ProjectRoom(SandboxRows rows, Projects projects) {
        this.rows = rows;
        this.projects = projects;
    }

    /** Refuses a new sandbox, which is not stored yet, when the project is full. */
    void mustFit(Sandbox draft) {
        var limits = locked(draft);
        int sandboxes = rows.countForCreate(draft.project());
        if (sandboxes >= limits.sandboxes()) {
            throw new BivouacException(
                    ErrorCode.SANDBOX_LIMIT_EXCEEDED,
                    "The project has " + sandboxes + " sandboxes and its limit is " + limits.sandboxes()
                            + "; delete one first.",
                    Map.of("limit", limits.sandboxes(), "used", sandboxes));
        }
        if (limits.boundsResources()) {
            var used = rows.usage(draft.project());
            check(limits, used, draft);
            check("disk", used.disk(), draft.definition().resources().diskBytes(), limits.diskBytes(), BYTES);
        }
    }

    /** Refuses the start of a stopped sandbox, whose row says already that it starts. */
    void mustFitAgain(Sandbox starting) {
        var limits = locked(starting);
        if (limits.boundsResources()) {
            var resources = starting.definition().resources();
            var with = rows.usage(starting.project());
            check(
                    limits,
                    new SandboxUsage(
                            with.sandboxes(),
                            with.cpu() - resources.cpu(),
                            with.memory() - resources.memoryBytes(),
                            with.disk()),
                    starting);
        }
    }

    private ProjectLimits locked(Sandbox sandbox) {
        return projects.lockLimits(sandbox.project())
                .orElseThrow(() -> new BivouacException(ErrorCode.FORBIDDEN, "The project no longer exists."));
    }

    private static void check(ProjectLimits limits, SandboxUsage used, Sandbox sandbox) {
        var asked = sandbox.definition().resources();
        check("cpu", used.cpu(), asked.cpu(), limits.cpu(), ProjectRoom::cores);
        check("memory", used.memory(), asked.memoryBytes(), limits.memoryBytes(), BYTES);
    }

    private static final DoubleFunction<String> BYTES = bytes -> ByteSize.format((long) bytes);

    private static String cores(double cores) {
        return String.format(Locale.ROOT, "%.2f", cores).replaceAll("\\.?0+$", "") + " cores";
    }

    private static void check(String what, double used, double asked, double limit, DoubleFunction<String> shown) {
        // A sum of fractions of cores may be off by a hair.
        double hair = 1e-9;
        if (limit > 0 && used + asked > limit + hair) {
            throw new BivouacException(
                    ErrorCode.PROJECT_LIMIT_EXCEEDED,
                    "The project's limit of " + what + " is " + shown.apply(limit) + ": its sandboxes have "
                            + shown.apply(used) + ", and this one asks for " + shown.apply(asked)
                            + ". Stop or delete one first, or ask for less.",
                    Map.of("limit", what, "most", limit, "used", used, "asked", asked));
        }
    }
}
