package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The server's heap in use, in bytes, around a flood that one viewer takes a kilobyte a second of.
 *
 * @param during the most that was seen, with hundreds of megabytes between the looks
 */
record FloodedHeap(long before, long during, long after) {
    /** What a server does beside comes and goes by less than this. */
    private static final long FLAT_BYTES = 4L << 20;

    private static final int LOOKS = 3;
    private static final long BETWEEN_BYTES = 100_000_000;

    static FloodedHeap measure(TerminalBox box, Heap heap) throws IOException, InterruptedException {
        long before = heap.usedBytes();
        long during = 0;
        var pty = box.pty("read x; while :; do cat " + TerminalFlood.FILE + "; done");
        try (var slow = box.attach(pty, "?role=viewer&from=0", TerminalSocket.BINARY);
                var fast = box.attach(pty, "?from=0", TerminalSocket.BINARY)) {
            var taken = new AtomicLong();
            var dawdle = Thread.ofVirtual().start(() -> TerminalFlood.dawdle(slow));
            var drain = Thread.ofVirtual().start(() -> drain(fast, taken));
            fast.type(1, (byte) '\n');
            for (int look = 1; look <= LOOKS; look++) {
                while (taken.get() < look * BETWEEN_BYTES && drain.isAlive()) {
                    Thread.sleep(5);
                }
                during = Math.max(during, heap.usedBytes());
            }
            if (!drain.isAlive()) {
                throw new IllegalStateException("the flood ended after " + taken + " bytes");
            }
            dawdle.interrupt();
        }
        box.connection().delete(box.path("/pty/" + pty));
        return new FloodedHeap(before, during, heap.usedBytes());
    }

    private static void drain(TerminalSocket fast, AtomicLong taken) {
        try {
            while (fast.next()) {
                taken.addAndGet(fast.textLength());
            }
        } catch (IOException enough) {
            // It was closed.
        }
    }

    boolean isFlat() {
        return during - before <= FLAT_BYTES && after - before <= FLAT_BYTES;
    }

    Figure figure() {
        return new Figure(
                "%s → %s → %s MiB".formatted(mebibytes(before), mebibytes(during), mebibytes(after)),
                Map.of("beforeBytes", (double) before, "duringBytes", (double) during, "afterBytes", (double) after));
    }

    private static String mebibytes(long bytes) {
        return Figure.amount(bytes / (double) (1 << 20));
    }
}
