package io.bivouac.functions.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.ProjectLimits;
import io.bivouac.sandboxmodel.ByteSize;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

/**
 * What a project may have; null where there is no limit.
 *
 * @param cpu cores of all its sandboxes that are not stopped
 * @param memory of the same
 * @param disk of all its sandboxes
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record LimitsView(
        int sandboxes,
        int terminals,
        int eventStreams,
        @Nullable Double cpu,
        @Nullable String memory,
        @Nullable String disk) {
    static LimitsView of(ProjectLimits limits) {
        return new LimitsView(
                limits.sandboxes(),
                limits.terminals(),
                limits.eventStreams(),
                limits.cpu() == 0 ? null : limits.cpu(),
                limits.memoryBytes() == 0 ? null : ByteSize.format(limits.memoryBytes()),
                limits.diskBytes() == 0 ? null : ByteSize.format(limits.diskBytes()));
    }
}
