package io.bivouac.functions.project;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;

/** Bounds of what a project may be given. */
final class ProjectLimits {
    static final int MOST_SANDBOXES = 100_000;

    private ProjectLimits() {}

    static int sandboxes(@Nullable Integer asked, int usual) {
        if (asked == null) {
            return usual;
        }
        if (asked < 0 || asked > MOST_SANDBOXES) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "sandboxLimit must be between 0 and " + MOST_SANDBOXES + ".");
        }
        return asked;
    }
}
