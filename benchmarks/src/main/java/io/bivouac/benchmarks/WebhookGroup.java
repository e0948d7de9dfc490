package io.bivouac.benchmarks;

import io.bivouac.foundation.fixture.TestStack;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How fast events become webhooks, alone and beside receivers that hang, and how fast a backlog goes. */
final class WebhookGroup implements Group {
    private static final int DELIVERIES = 100_000;
    private static final int WARM_UP = 30_000;
    private static final int PARKED = 100_000;
    private static final int PACED = 1_000;
    private static final int TURNS = 5;
    private static final int HANGING = 20;
    private static final double FEWEST_A_SECOND = 5_000;
    private static final double LONGEST_P50 = 40;
    private static final double LONGEST_P99 = 150;
    private static final double MOST_TIMES = 1.3;

    @Override
    public String name() {
        return "webhooks";
    }

    @Override
    public String about() {
        return "events on Kafka to answered webhooks: rate, latency, beside hanging receivers, after an outage";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("webhooks: 1 kB events; PostgreSQL and Kafka are real, the receiver shares the machine");
        TestStack.get();
        rate(table, scale);
        latency(table, scale);
        backlog(table, scale);
        table.note("Messenger and receiver share one JVM of 512 MB; every delivery is logged in PostgreSQL.");
        table.note(
                "Latency: from the return of the committing call to the request at the receiver, 50 changes a second.");
        table.note("Beside hanging receivers: the medians of the p99s of " + TURNS + " turns are compared.");
        return table;
    }

    private static void rate(Table table, Scale scale) throws Exception {
        try (var receiver = WebhookReceiver.answering(_ -> {});
                var site = new WebhookSite()) {
            site.endpoint(receiver.url());
            KafkaEvents.put(scale.of(WARM_UP), site.project());
            try (var first = site.messenger()) {
                first.awaitDelivered(receiver, scale.of(WARM_UP));
            }
            long before = receiver.count();
            int count = scale.of(DELIVERIES);
            KafkaEvents.put(count, site.project());
            try (var messenger = site.messenger()) {
                long begun = messenger.awaitDelivered(receiver, before + 1);
                long ended = messenger.awaitDelivered(receiver, before + count);
                double perSecond = (count - 1) * 1e9 / (ended - begun);
                table.add(
                        "deliveries, one quick receiver, " + count + " events on Kafka",
                        Figure.of("perSecond", perSecond, "a second"),
                        Figure.NONE,
                        "",
                        new Goal("≥ 5,000 a second", perSecond >= FEWEST_A_SECOND));
            }
        }
    }

    /** In turns, of which each has the first every other time: what the machine does meanwhile falls on both alike. */
    private static void latency(Table table, Scale scale) throws Exception {
        var without = new ArrayList<Latencies>();
        var with = new ArrayList<Latencies>();
        int changes = scale.of(PACED);
        try (var site = new WebhookSite();
                var messenger = site.messenger()) {
            // Not counted: the first one would pay for what the machine has yet to learn.
            site.paced(messenger, changes);
            for (int turn = 0; turn < TURNS; turn++) {
                if (turn % 2 == 0) {
                    without.add(site.paced(messenger, changes));
                    with.add(besideHanging(site, messenger, changes));
                } else {
                    with.add(besideHanging(site, messenger, changes));
                    without.add(site.paced(messenger, changes));
                }
            }
        }
        var alone = Latencies.joined(without);
        var beside = Latencies.joined(with);
        table.add(
                "committed → received, 50 a second",
                alone.figure(),
                Figure.NONE,
                "",
                new Goal("≤ 40 / 150 ms", alone.p50() <= LONGEST_P50 && alone.p99() <= LONGEST_P99));
        double times = Latencies.medianP99(with) / Latencies.medianP99(without);
        table.add(
                "the same beside " + HANGING + " hanging receivers",
                beside.figure(),
                alone.figure().named("without them"),
                Figure.amount(times) + "×",
                new Goal("median p99 ≤ 1.3×", times <= MOST_TIMES));
    }

    private static Latencies besideHanging(WebhookSite site, WebhookSite.Messenger messenger, int changes)
            throws Exception {
        var silent = new ArrayList<WebhookReceiver>();
        var endpoints = new ArrayList<String>();
        try {
            for (int i = 0; i < HANGING; i++) {
                silent.add(WebhookReceiver.silent());
                endpoints.add(site.endpoint(silent.getLast().url()));
            }
            return site.paced(messenger, changes);
        } finally {
            for (var endpoint : endpoints) {
                site.delete(endpoint);
            }
            for (var receiver : silent) {
                receiver.close();
            }
        }
    }

    private static void backlog(Table table, Scale scale) throws Exception {
        int count = scale.of(PARKED);
        try (var receiver = WebhookReceiver.answering(_ -> {});
                var site = new WebhookSite()) {
            var endpoint = site.endpoint(receiver.url());
            site.enable(endpoint, false);
            KafkaEvents.put(count, site.project());
            try (var messenger = site.messenger()) {
                long parking = System.nanoTime();
                site.awaitWaiting(count);
                double parkedPerSecond = count * 1e9 / (System.nanoTime() - parking);
                System.gc();
                var heap = new HeapPeak();
                site.enable(endpoint, true);
                long begun = messenger.awaitDelivered(receiver, 1);
                long ended = messenger.awaitDelivered(receiver, count);
                double perSecond = count * 1e9 / (ended - begun);
                table.add(
                        count + " parked deliveries drain",
                        new Figure(
                                "%s a second, heap ≤ %s MB"
                                        .formatted(Figure.amount(perSecond), Figure.amount(heap.megabytes())),
                                Map.of("perSecond", perSecond, "heapMegabytes", heap.megabytes())),
                        Figure.of("perSecond", parkedPerSecond, "a second").named("parking them"),
                        "",
                        Goal.NONE);
            }
        }
    }

    /** The fullest that the heap has been since this was made, garbage included. */
    private static final class HeapPeak {
        private final List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();

        HeapPeak() {
            pools.forEach(MemoryPoolMXBean::resetPeakUsage);
        }

        double megabytes() {
            return pools.stream()
                            .mapToLong(pool -> pool.getPeakUsage().getUsed())
                            .sum()
                    / 1e6;
        }
    }
}
