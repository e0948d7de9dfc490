package io.bivouac.functions.event;

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

    private final PublishedEvents events;
    private final String project;
    private final Set<String> types;
    private final Duration pingEvery;
    private final PublishedEvents.Bell bell;
    private final Runnable atEnd;
    private volatile boolean stopped;
    private long seen;
    private @Nullable String greeting;

    EventReader(
            PublishedEvents events,
            String project,
            Set<String> types,
            Start start,
            Duration pingEvery,
            Runnable atEnd) {
        this.events = events;
        this.project = project;
        this.types = types;
        this.pingEvery = pingEvery;
        this.atEnd = atEnd;
        this.bell = events.bell(project);
        this.seen = start.seen();
        this.greeting = start.greeting();
    }

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
            var page = events.after(project, seen, PAGE);
            if (page.isEmpty()) {
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
        atEnd.run();
    }
}
