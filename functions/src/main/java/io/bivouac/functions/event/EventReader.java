package io.bivouac.functions.event;

import io.bivouac.foundation.memory.Holding;
import io.bivouac.foundation.outbox.PublishedEvent;
import io.bivouac.foundation.outbox.PublishedEvents;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.Set;

/**
 * One client's way through its project's events. It holds one page at most, and reads the next one when the
 * client has taken it. Used by one thread, except for {@link #stop}.
 */
final class EventReader implements AutoCloseable {
    static final int PAGE = 100;

    /** Of a page; its last event may go beyond it. */
    static final int PAGE_BYTES = 64 * 1024;

    /** Held while a page is read, and with it while the client does not take it: what its connection keeps as well. */
    static final int ROOM = 4 * PAGE_BYTES;

    /** How long a page waits for room; after that the stream ends, and the client comes back with its last id. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final PublishedEvents events;
    private final String project;
    private final Set<String> types;
    private final Duration pingEvery;
    private final PublishedEvents.Bell bell;
    private final Holding room;
    private final Runnable atEnd;
    private volatile boolean stopped;
    private long seen;
    private @Nullable String greeting;

    EventReader(PublishedEvents events, Wanted wanted, Start start, Duration pingEvery, Holding room, Runnable atEnd) {
        this.events = events;
        this.project = wanted.project();
        this.types = wanted.types();
        this.pingEvery = pingEvery;
        this.room = room;
        this.atEnd = atEnd;
        this.bell = events.bell(wanted.project());
        this.seen = start.seen();
        this.greeting = start.greeting();
    }

    /** Whose events, and of which types. */
    record Wanted(String project, Set<String> types) {}

    /** Where a client begins, and what it is told first. */
    record Start(long seen, String greeting) {
        static Start at(PublishedEvents events, @Nullable Long lastSeen) {
            if (lastSeen == null) {
                long now = events.newest();
                // An id without data: nothing for the client to handle, but it can resume from here.
                return new Start(now, "id: " + now + "\n\n");
            }
            if (events.reachesBackTo(lastSeen)) {
                return new Start(lastSeen, ": resumed\n\n");
            }
            long now = events.newest();
            return new Start(now, "id: " + now + "\nevent: gap\ndata: {\"type\":\"gap\"}\n\n");
        }
    }

    /** Waits for something to send: events, or a comment that shows that the line is alive; null when stopped. */
    @Nullable String next() throws InterruptedException {
        if (greeting != null) {
            var first = greeting;
            greeting = null;
            return first;
        }
        while (!stopped) {
            // The client asks for more, so it has what it was given.
            room.settle(0);
            room.takeWithin(PATIENCE, ROOM);
            var page = events.after(project, seen, PAGE, PAGE_BYTES);
            if (page.isEmpty()) {
                room.settle(0);
                if (!bell.await(pingEvery)) {
                    return "id: " + seen + "\n: ping\n\n";
                }
                continue;
            }
            seen = page.getLast().number();
            var text = new StringBuilder();
            page.stream().filter(event -> types.contains(event.type())).forEach(event -> write(text, event));
            if (!text.isEmpty()) {
                return text.toString();
            }
        }
        return null;
    }

    /** Ends a wait under way. */
    void stop() {
        stopped = true;
        bell.ring();
    }

    /** An envelope has no line breaks: it is one line of JSON. */
    private static void write(StringBuilder text, PublishedEvent event) {
        text.append("id: ").append(event.number());
        text.append("\nevent: ").append(event.type());
        text.append("\ndata: ").append(event.envelope()).append("\n\n");
    }

    @Override
    public void close() {
        bell.close();
        room.close();
        atEnd.run();
    }
}
