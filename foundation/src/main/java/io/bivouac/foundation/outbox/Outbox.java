package io.bivouac.foundation.outbox;

import io.bivouac.events.Event;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.transition.Decision.Saying;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes events beside the change that they tell of. Thread-safe. */
@Singleton
public class Outbox {
    public static final String EVENT_PREFIX = "evt_";

    private final EventRows rows;
    private final NewEventRows newRows;
    private final JsonMapper json;

    Outbox(EventRows rows, NewEventRows newRows, JsonMapper json) {
        this.rows = rows;
        this.newRows = newRows;
        this.json = json;
    }

    /** Must be called inside the transaction that stores the change. */
    public void say(Sandbox before, List<Saying> sayings, Instant at) {
        say(new Subject(before.project(), before.id().value(), before.sequence()), sayings, at);
    }

    /** What is spoken about: whose it is, its id, and how many of its events there are already. */
    public record Subject(String project, String id, long sequence) {}

    /** The same for anything else that events tell of. */
    public void say(Subject subject, List<Saying> sayings, Instant at) {
        if (sayings.isEmpty()) {
            return;
        }
        var written = new ArrayList<NewEvent>(sayings.size());
        long sequence = subject.sequence();
        for (var saying : sayings) {
            sequence++;
            written.add(row(event(subject, saying, sequence, at)));
        }
        newRows.insert(written);
    }

    private static Event event(Subject subject, Saying saying, long sequence, Instant at) {
        return new Event(
                SortableId.next(EVENT_PREFIX),
                saying.type().wireName(),
                at,
                subject.project(),
                subject.id(),
                sequence,
                saying.data());
    }

    private NewEvent row(Event event) {
        return new NewEvent(
                event.id(),
                event.project(),
                event.subject(),
                event.sequence(),
                event.type(),
                event.timestamp(),
                asText(event));
    }

    private String asText(Event event) {
        try {
            return json.writeValueAsString(event);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** A subject's events in order, after a sequence number. */
    public Page<EventRow> history(String subject, long after, int limit) {
        return Page.of(
                rows.history(subject, after, limit + 1),
                limit,
                row -> Long.toString(row.sequence()),
                row -> Page.utf8(row.envelope()));
    }

    /** Whose subject this was, also when it is long gone. */
    public Optional<String> projectOf(String subject) {
        return rows.projectOf(subject);
    }

    public long unpublished() {
        return rows.countUnpublished();
    }

    /** How long the oldest unpublished event has been waiting. */
    public Duration lag(Instant now) {
        return rows.oldestUnpublished()
                .map(oldest -> Duration.between(oldest, now))
                .filter(lag -> !lag.isNegative())
                .orElse(Duration.ZERO);
    }

    public int purgePublished(Instant before) {
        return rows.purgePublished(before);
    }
}
