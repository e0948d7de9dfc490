package io.bivouac.sandboxes.store;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxNames;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/** Finds a project's sandboxes by name or by the beginning of their id. Thread-safe. */
@Singleton
class NamedSandboxes implements SandboxNames {
    /** How many candidates a refusal names. */
    static final int MOST = 10;

    private final SandboxTable table;

    NamedSandboxes(SandboxTable table) {
        this.table = table;
    }

    /** @param over whether it has expired */
    record Named(String id, boolean over) {}

    @Override
    public SandboxId find(String project, String text) {
        var named = table.named(project, text, MOST + 1);
        if (!named.isEmpty()) {
            return only(named, "named " + text);
        }
        boolean beginsAnId = text.startsWith(SandboxId.PREFIX) && text.length() > SandboxId.PREFIX.length();
        var begun = beginsAnId ? table.beginningWith(project, text, MOST + 1) : List.<Named>of();
        if (begun.isEmpty()) {
            throw SandboxId.noSuchSandbox(text);
        }
        return only(begun, "whose id begins with " + text);
    }

    private static SandboxId only(List<Named> found, String described) {
        var present = found.stream().filter(one -> !one.over()).toList();
        var fitting = present.isEmpty() ? found : present;
        if (fitting.size() == 1) {
            return new SandboxId(fitting.getFirst().id());
        }
        var ids = fitting.stream().limit(MOST).map(Named::id).toList();
        var number = fitting.size() > MOST ? "more than " + MOST : String.valueOf(fitting.size());
        throw new BivouacException(
                ErrorCode.SANDBOX_NOT_FOUND,
                "There are %s sandboxes %s: %s. Use an id.".formatted(number, described, String.join(", ", ids)),
                Map.of("candidates", ids));
    }
}
