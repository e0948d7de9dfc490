package io.bivouac.webhooks.lane;

import io.bivouac.webhooks.delivery.Delivery;
import io.micronaut.core.annotation.Nullable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What waits in a lane. Of each subject one delivery may be under way; the next comes up when that one is done, so
 * that none overtakes another of its subject. In strict order all are of one subject. Used on the lane's loop only.
 */
final class Line {
    private final Deque<Delivery> next = new ArrayDeque<>();

    /** Those behind, of each subject that has a delivery among the next or under way. */
    private final Map<String, Deque<Delivery>> behind = new HashMap<>();

    private int size;

    void add(Delivery delivery) {
        size++;
        var others = behind.get(subject(delivery));
        if (others == null) {
            behind.put(subject(delivery), new ArrayDeque<>());
            next.add(delivery);
        } else {
            others.add(delivery);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The first that may go; null when each has to wait for another, or there is none. */
    @Nullable Delivery peek() {
        return next.peek();
    }

    /** The first one is under way; {@link #done} is to be told when it no longer is. */
    void remove() {
        next.remove();
        size--;
    }

    void done(Delivery delivery) {
        var others = behind.get(subject(delivery));
        var following = others == null ? null : others.poll();
        if (following == null) {
            behind.remove(subject(delivery));
        } else {
            next.add(following);
        }
    }

    /** Asks about each, those of one subject in their order. */
    void removeIf(Predicate<Delivery> over) {
        var gone = new ArrayList<Delivery>();
        next.removeIf(first -> over.test(first) && gone.add(first));
        size -= gone.size();
        for (var others : behind.values()) {
            int before = others.size();
            others.removeIf(over);
            size -= before - others.size();
        }
        gone.forEach(this::done);
    }

    private static String subject(Delivery delivery) {
        var endpoint = delivery.endpoint();
        return endpoint.manner().fifo() ? endpoint.id() : delivery.event().subject();
    }
}
