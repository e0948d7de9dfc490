package io.bivouac.webhooks.dispatch;

import io.bivouac.webhooks.delivery.Delivery.Settlement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How far a partition is settled without a hole. Records are begun by the reader; their deliveries settle on any
 * thread, in any order.
 */
final class PartitionProgress {
    /** One delivery that takes its full timeout must not stop a busy partition. */
    static final int MOST_UNSETTLED = 100_000;

    private final Deque<Record> unsettled = new ArrayDeque<>();
    private long committable;

    PartitionProgress(long position) {
        committable = position;
    }

    /** A record whose deliveries are under way. */
    static final class Record implements Settlement {
        private final long offset;
        private final AtomicInteger open;

        private Record(long offset, int deliveries) {
            this.offset = offset;
            this.open = new AtomicInteger(deliveries);
        }

        @Override
        public void settled() {
            open.decrementAndGet();
        }
    }

    Record begin(long offset, int deliveries) {
        var begun = new Record(offset, deliveries);
        unsettled.addLast(begun);
        return begun;
    }

    boolean isFull() {
        return unsettled.size() >= MOST_UNSETTLED;
    }

    /** Whether nothing is under way. */
    boolean isSettled() {
        committable();
        return unsettled.isEmpty();
    }

    /** The offset to go on from after a crash: everything below it is settled. */
    long committable() {
        while (!unsettled.isEmpty() && unsettled.getFirst().open.get() <= 0) {
            committable = unsettled.removeFirst().offset + 1;
        }
        return committable;
    }
}
