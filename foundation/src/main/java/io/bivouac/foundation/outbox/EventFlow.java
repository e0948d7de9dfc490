package io.bivouac.foundation.outbox;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether events reach Kafka. Asked before a request changes anything that is told there, so that the outbox holds a
 * moment's events, not an outage's. Only the process that carries the events knows; all others let changes pass.
 * Thread-safe.
 */
@Singleton
public class EventFlow {
    private final Duration patience;
    private final AtomicReference<Long> waitingSince = new AtomicReference<>();

    EventFlow(@Value("${bivouac.outbox.patience:5s}") Duration patience) {
        this.patience = patience;
    }

    /** Refuses a change while events have been waiting for longer than a restart of Kafka takes. */
    public void mustFlow() {
        var since = waitingSince.get();
        if (since != null && System.nanoTime() - since > patience.toNanos()) {
            throw new BivouacException(
                    ErrorCode.UNAVAILABLE,
                    "Kafka has taken no events for more than %d ms. Nothing was changed; try again when /ready is 200."
                            .formatted(patience.toMillis()));
        }
    }

    /** Notes that events wait to be published. The first of several calls counts until they are delivered. */
    void waiting() {
        waitingSince.compareAndSet(null, System.nanoTime());
    }

    /** Notes that all events are published, or that another process publishes them. */
    void delivered() {
        waitingSince.set(null);
    }
}
