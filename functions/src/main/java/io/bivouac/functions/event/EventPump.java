package io.bivouac.functions.event;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.FluxSink.OverflowStrategy;

/**
 * Carries what a reader finds to its client, a piece for each that the client asks for. It runs on a thread of
 * its own, which is never interrupted: an interrupt would break the database's connection that it happens to use.
 */
final class EventPump {
    private static final Logger LOG = LoggerFactory.getLogger(EventPump.class);

    private final EventReader reader;
    private final FluxSink<byte[]> client;
    private final Semaphore asked = new Semaphore(0);

    private EventPump(EventReader reader, FluxSink<byte[]> client) {
        this.reader = reader;
        this.client = client;
    }

    static Flux<byte[]> from(Supplier<EventReader> opening) {
        return Flux.create(client -> new EventPump(opening.get(), client).start(), OverflowStrategy.ERROR);
    }

    private void start() {
        client.onRequest(_ -> asked.release());
        client.onDispose(() -> {
            reader.stop();
            asked.release();
        });
        // A stream waits most of its life, and a virtual thread that waits costs next to nothing.
        Thread.ofVirtual().name("event-stream").start(this::run);
    }

    private void run() {
        try (reader) {
            while (!client.isCancelled()) {
                if (client.requestedFromDownstream() == 0) {
                    asked.acquire();
                    continue;
                }
                var piece = reader.next();
                if (piece == null) {
                    return;
                }
                client.next(piece.getBytes(StandardCharsets.UTF_8));
            }
        } catch (InterruptedException stopped) {
            client.complete();
        } catch (RuntimeException failed) {
            // The client comes back with its last id, and hears then what is wrong.
            LOG.warn("An event stream ends early: {}", failed.toString());
            client.complete();
        }
    }
}
