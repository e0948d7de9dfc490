package io.bivouac.sandboxmodel;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;

/** The id of a sandbox. Safe as the name of a folder, a container or a cgroup. */
public record SandboxId(String value) {
    public static final String PREFIX = "sbx-";

    public SandboxId {
        if (!SortableId.matches(PREFIX, value)) {
            throw new IllegalArgumentException("not a sandbox id: " + value);
        }
    }

    public static SandboxId next() {
        return new SandboxId(SortableId.next(PREFIX));
    }

    /** Whether the text is a whole id; a name may be anything else. */
    public static boolean isOne(String text) {
        return SortableId.matches(PREFIX, text);
    }

    /** Reads an id that came from outside; what cannot be an id names no sandbox. */
    public static SandboxId parse(String text) {
        if (!SortableId.matches(PREFIX, text)) {
            throw noSuchSandbox(text);
        }
        return new SandboxId(text);
    }

    public static BivouacException noSuchSandbox(String id) {
        return new BivouacException(ErrorCode.SANDBOX_NOT_FOUND, "There is no sandbox " + id + ".");
    }

    @Override
    public String toString() {
        return value;
    }
}
