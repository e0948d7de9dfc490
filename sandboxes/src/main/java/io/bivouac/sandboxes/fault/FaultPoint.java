package io.bivouac.sandboxes.fault;

import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A moment between two steps at which a crash must lose nothing. A test names one with the system property
 * {@code bivouac.fault}, and a file with {@code bivouac.fault.marker}: the process that reaches the point leaves the
 * file and ends as a kill would end it. Without the property, passing a point costs one comparison.
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

    private static final int AS_KILLED = 137;

    public void pass() {
        if (CHOSEN != null && CHOSEN.equals(wireName())) {
            end();
        }
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void end() {
        var marker = Path.of(System.getProperty("bivouac.fault.marker"));
        try {
            Files.writeString(marker, wireName() + "\n");
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot mark " + wireName(), failed);
        }
        Runtime.getRuntime().halt(AS_KILLED);
    }
}
