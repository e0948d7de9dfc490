package io.bivouac.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Has clients do an operation as often as asked, each client one after the other, and takes the time of each. */
final class Load {
    /** What one client does over and over; it is used by one thread. */
    @FunctionalInterface
    interface Client {
        void act() throws Exception;
    }

    private Load() {}

    /** The clients share the operations. */
    static Latencies run(int operations, List<? extends Client> clients) throws Exception {
        var left = new AtomicInteger(operations);
        return together(clients.stream()
                .map(client -> (Callable<List<Long>>) () -> {
                    var times = new ArrayList<Long>();
                    while (left.getAndDecrement() > 0) {
                        times.add(time(client));
                    }
                    return times;
                })
                .toList());
    }

    static Latencies run(int operations, Client client) throws Exception {
        return run(operations, List.of(client));
    }

    /** One client that begins every so often, or late when it is not done. */
    static Latencies paced(int operations, Duration apart, Client client) throws Exception {
        return together(List.of(() -> {
            var times = new ArrayList<Long>();
            long next = System.nanoTime();
            for (int i = 0; i < operations; i++) {
                LockSupport.parkNanos(next - System.nanoTime());
                next += apart.toNanos();
                times.add(time(client));
            }
            return times;
        }));
    }

    /** Each client acts once, all at the same moment. */
    static Latencies once(List<? extends Client> clients) throws Exception {
        return together(clients.stream()
                .map(client -> (Callable<List<Long>>) () -> List.of(time(client)))
                .toList());
    }

    private static long time(Client client) throws Exception {
        long begun = System.nanoTime();
        client.act();
        return System.nanoTime() - begun;
    }

    private static Latencies together(List<Callable<List<Long>>> clients) throws Exception {
        var start = new CountDownLatch(1);
        try (var threads = Executors.newFixedThreadPool(clients.size())) {
            var running = clients.stream()
                    .map(client -> threads.submit(() -> {
                        start.await();
                        return client.call();
                    }))
                    .toList();
            long begun = System.nanoTime();
            start.countDown();
            var all = new ArrayList<Long>();
            for (var times : running) {
                all.addAll(times.get());
            }
            return Latencies.of(all, System.nanoTime() - begun);
        }
    }
}
