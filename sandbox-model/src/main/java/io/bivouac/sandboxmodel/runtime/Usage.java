package io.bivouac.sandboxmodel.runtime;

import io.micronaut.serde.annotation.Serdeable;

/** What a sandbox uses right now, and what it may use. */
@Serdeable
public record Usage(Cpu cpu, Bytes memory, Bytes disk, Network network, long pids) {
    /** In cores. */
    @Serdeable
    public record Cpu(double usage, double limit) {}

    /** In bytes. */
    @Serdeable
    public record Bytes(long usage, long limit) {}

    /** Counted since the start. */
    @Serdeable
    public record Network(long rxBytes, long txBytes) {}
}
