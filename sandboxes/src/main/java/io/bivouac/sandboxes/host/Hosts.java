package io.bivouac.sandboxes.host;

import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.HostCapacity;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The processes that make sandboxes, as the database knows them. Thread-safe. */
@Singleton
public class Hosts {
    /** A row that was not renewed for so long is of a process that is gone. */
    public static final Duration SILENCE = Duration.ofSeconds(10);

    static final int MOST = 1_000;

    private final HostRows rows;
    private final Clock clock;
    private final String process = UUID.randomUUID().toString();

    Hosts(HostRows rows, Clock clock) {
        this.rows = rows;
        this.clock = clock;
    }

    /**
     * This process makes sandboxes, for the next {@link #SILENCE}.
     *
     * @param fault why it cannot now; null when it can
     */
    public void isUp(Placement here, HostCapacity capacity, Capabilities can, @Nullable String fault) {
        rows.renew(
                process,
                here.host(),
                here.runtime(),
                capacity.cpu(),
                capacity.memoryBytes(),
                capacity.diskBytes(),
                HostRow.written(can),
                fault,
                clock.instant().plus(SILENCE));
    }

    /** Nothing more is placed at this process. */
    public void isGone() {
        rows.gone(process, clock.instant().minus(SILENCE));
    }

    List<HostRow> up(String runtime) {
        return rows.up(runtime, clock.instant(), MOST);
    }

    /** The host with the fewest sandboxes for its size, of those that are large enough. */
    public Placement choose(String runtime, Resources wanted) {
        var up = up(runtime);
        var working = up.stream().filter(HostRow::works).toList();
        if (working.isEmpty()) {
            throw new BivouacException(
                    ErrorCode.UNAVAILABLE,
                    up.isEmpty()
                            ? "No host is up that makes sandboxes; start a server with --services=relay."
                            : "No host can start sandboxes now; their administrator sees why with bivouac doctor.");
        }
        return working.stream()
                .filter(row -> row.cpu() >= wanted.cpu() && row.memoryBytes() >= wanted.memoryBytes())
                .findFirst()
                .or(() -> working.stream().findFirst())
                .map(row -> new Placement(runtime, row.host()))
                .orElseThrow();
    }
}
