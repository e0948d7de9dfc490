package io.bivouac.webhooks.delivery;

import io.bivouac.webhooks.endpoint.Endpoint.Retry;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** How long to wait after which failure. */
public final class RetrySchedule {
    private static final List<Duration> LONG = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));

    private static final List<Duration> SHORT =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));

    /** Later by up to a fifth, so that what failed together does not come back together. */
    private static final double JITTER = 0.2;

    private RetrySchedule() {}

    /** Milliseconds until the next attempt after so many have failed; empty when that was the last. */
    public static OptionalLong after(Retry retry, int failed, RandomGenerator random) {
        var delays = switch (retry) {
            case LONG -> LONG;
            case SHORT -> SHORT;
        };
        if (failed > delays.size()) {
            return OptionalLong.empty();
        }
        double delay = delays.get(failed - 1).toMillis();
        return OptionalLong.of((long) (delay * (1 + JITTER * random.nextDouble())));
    }
}
