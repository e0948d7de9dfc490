package io.bivouac.foundation.access;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.annotation.Nullable;

/** A project's own limits as its row has them; null where it has none of its own. */
@Introspected
record ProjectLimitRow(
        int sandboxes,
        @Nullable Integer terminals,
        @Nullable Integer streams,
        @Nullable Double cpu,
        @Nullable Long memory,
        @Nullable Long disk) {}
