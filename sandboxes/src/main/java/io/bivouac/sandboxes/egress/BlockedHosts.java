package io.bivouac.sandboxes.egress;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** The hosts that programs of a sandbox were refused last, at most {@link #MOST}. Thread-safe. */
@Singleton
public class BlockedHosts {
    public static final int MOST = 20;

    private final BlockedHostRows rows;
    private final Clock clock;

    BlockedHosts(BlockedHostRows rows, Clock clock) {
        this.rows = rows;
        this.clock = clock;
    }

    /** @param program as it calls itself; empty when it does not */
    public record Blocked(EgressTarget target, String program, Instant at) {}

    public void add(SandboxId sandbox, EgressTarget target, String program) {
        rows.blocked(sandbox.value(), target.toString(), program, clock.instant());
        rows.keep(sandbox.value(), MOST);
    }

    /** The newest first. */
    public List<Blocked> of(SandboxId sandbox) {
        return rows.of(sandbox.value(), MOST).stream()
                .map(row -> new Blocked(EgressTarget.parse(row.host()), row.program(), row.at()))
                .toList();
    }
}
