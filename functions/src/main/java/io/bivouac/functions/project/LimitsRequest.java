package io.bivouac.functions.project;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.LimitChange;
import io.bivouac.sandboxmodel.ByteSize;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/**
 * Limits that a project is to have; absent ones stay. Zero CPU, memory or disk is no limit.
 *
 * @param memory such as {@code 64g}
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
record LimitsRequest(
        @Schema(minimum = "0", maximum = "" + LimitsRequest.MOST) @Nullable Integer sandboxes,

        @Schema(minimum = "0", maximum = "" + LimitsRequest.MOST) @Nullable Integer terminals,

        @Schema(minimum = "0", maximum = "" + LimitsRequest.MOST) @Nullable Integer eventStreams,

        @Schema(minimum = "0", maximum = "1000000") @Nullable Double cpu,

        @Schema(example = "64g") @Nullable String memory,
        @Schema(example = "500g") @Nullable String disk) {
    static final int MOST = 100_000;
    static final double MOST_CPU = 1_000_000;

    /** @param sandboxLimit the former name of {@code limits.sandboxes}, which wins */
    static LimitChange change(@Nullable LimitsRequest limits, @Nullable Integer sandboxLimit) {
        count("sandboxLimit", sandboxLimit);
        return limits == null ? LimitChange.ofSandboxes(sandboxLimit) : limits.change(sandboxLimit);
    }

    private LimitChange change(@Nullable Integer sandboxLimit) {
        count("limits.sandboxes", sandboxes);
        count("limits.terminals", terminals);
        count("limits.eventStreams", eventStreams);
        if (cpu != null && !(cpu >= 0 && cpu <= MOST_CPU)) {
            throw wrong(
                    "limits.cpu must be between 0 (no limit) and " + (int) MOST_CPU + " cores, but is " + cpu + ".");
        }
        return new LimitChange(
                sandboxes == null ? sandboxLimit : sandboxes,
                terminals,
                eventStreams,
                cpu,
                bytes("limits.memory", memory),
                bytes("limits.disk", disk));
    }

    private static void count(String field, @Nullable Integer asked) {
        if (asked != null && (asked < 0 || asked > MOST)) {
            throw wrong(field + " must be between 0 and " + MOST + ", but is " + asked + ".");
        }
    }

    private static @Nullable Long bytes(String field, @Nullable String size) {
        try {
            return size == null ? null : ByteSize.parse(size);
        } catch (IllegalArgumentException unreadable) {
            throw wrong(field + " is " + unreadable.getMessage() + "; 0 is no limit.");
        }
    }

    private static BivouacException wrong(String detail) {
        return BivouacException.invalidRequest(detail);
    }
}
