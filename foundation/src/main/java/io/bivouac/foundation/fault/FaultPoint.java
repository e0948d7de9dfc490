package io.bivouac.foundation.fault;

import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * A moment between two steps at which a crash must lose nothing, whoever crashes. A test names one with the system
 * property {@code bivouac.fault}, and a file with {@code bivouac.fault.marker}: who reaches the point leaves the file
 * and stands still until it is taken away. Meanwhile the test kills what it likes, this process or another. Without
 * the property, passing a point costs one comparison.
 */
public enum FaultPoint {
    /** Events are committed in the outbox; Kafka has not been told. */
    AFTER_OUTBOX_COMMIT,
    /** Kafka has acknowledged a batch; the outbox does not know. */
    AFTER_KAFKA_ACK,
    /** A delivery's request is on its way. */
    MID_POST,
    /** The receiver has answered 2xx; nothing of it is stored. */
    AFTER_ANSWER,
    /** A delivery is being parked; the transaction is not committed. */
    MID_PARK,
    /** Deliveries were answered or parked and that is stored; their offsets are not committed. */
    BEFORE_OFFSET_COMMIT,
    /** A parked delivery was claimed for another attempt. */
    MID_DRAIN;

    @Nullable private static final String CHOSEN = System.getProperty("bivouac.fault");

    private static final Duration LONGEST_STAND = Duration.ofMinutes(10);
    private static final long LOOK_NANOS = Duration.ofMillis(10).toNanos();
    private static final int ABANDONED = 3;

    private static boolean passed;

    public void pass() {
        if (CHOSEN != null && CHOSEN.equals(wireName())) {
            stand();
        }
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Others who come to the point meanwhile wait behind the first; afterwards everybody passes. */
    private void stand() {
        synchronized (FaultPoint.class) {
            if (passed) {
                return;
            }
            var marker = Path.of(System.getProperty("bivouac.fault.marker"));
            mark(marker);
            long since = System.nanoTime();
            while (Files.exists(marker)) {
                if (System.nanoTime() - since > LONGEST_STAND.toNanos()) {
                    Runtime.getRuntime().halt(ABANDONED);
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
            passed = true;
        }
    }

    private void mark(Path marker) {
        try {
            Files.writeString(marker, wireName());
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot mark " + wireName(), failed);
        }
    }
}
