package io.bivouac.foundation.memory;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.convert.format.ReadableBytes;
import jakarta.validation.constraints.Positive;

/** How much may be held. */
@ConfigurationProperties("bivouac.memory")
public class MemorySettings {
    /** How many times the free rest a project may hold. */
    static final int SHARE = 2;

    private long budget = Runtime.getRuntime().maxMemory() / 8 * 3;

    /** Bytes of all answers together that are not sent yet; three eighths of the heap. */
    @Positive public long getBudget() {
        return budget;
    }

    public void setBudget(@ReadableBytes long budget) {
        this.budget = budget;
    }

    /** The most that a project holds when no other one holds anything. */
    public long largestShare() {
        return budget / (SHARE + 1) * SHARE;
    }
}
