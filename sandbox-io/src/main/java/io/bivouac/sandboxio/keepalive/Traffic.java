package io.bivouac.sandboxio.keepalive;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.sandboxmodel.SandboxId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** When something last passed to a port of each sandbox, through this process. Thread-safe. */
@Singleton
public class Traffic {
    private static final int REMEMBERED = 10_000;

    private final Clock clock;

    /** Milliseconds since the epoch, changed in place: told of every piece that passes. */
    private final Cache<SandboxId, AtomicLong> last =
            Caffeine.newBuilder().maximumSize(REMEMBERED).build();

    Traffic(Clock clock) {
        this.clock = clock;
    }

    public void passed(SandboxId sandbox) {
        last.get(sandbox, _ -> new AtomicLong()).setRelease(clock.millis());
    }

    Optional<Instant> last(SandboxId sandbox) {
        return Optional.ofNullable(last.getIfPresent(sandbox)).map(millis -> Instant.ofEpochMilli(millis.get()));
    }
}
