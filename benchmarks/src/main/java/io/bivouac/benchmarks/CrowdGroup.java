package io.bivouac.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What thousands of idle sandboxes cost the server, and a create beside them. */
final class CrowdGroup implements Group {
    private static final int FEW = 10;
    private static final int MAKERS = 4;
    private static final int WARM_UP = 200;
    private static final int CREATES = 40;
    private static final int SETTLE_MILLIS = 20_000;
    private static final int WATCHED_MILLIS = 20_000;
    private static final long PAUSE_MILLIS = 50;
    private static final double MOST_TIMES = 1.5;

    /** So many idle sandboxes, and what the server may need for them at most. */
    private record Crowd(int sandboxes, double megabytes, double percent) {}

    private static final List<Crowd> CROWDS = List.of(new Crowd(1_000, 400, 3), new Crowd(3_000, 600, 6));

    @Override
    public String name() {
        return "crowd";
    }

    @Override
    public String about() {
        return "create with 10, 1,000 and 3,000 idle sandboxes beside it; the server's memory and processor time";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("crowd: p50 / p99 over HTTP, with idle sandboxes of bubblewrap beside it");
        try (var folder = new WorkFolder("crowd");
                var server =
                        Server.start(folder.path().resolve("data"), Map.of("BIVOUAC_PROJECT_SANDBOXES", "10000"))) {
            creates(server, scale.of(WARM_UP));
            int there = grow(server, 0, FEW);
            var few = creates(server, scale.of(CREATES));
            for (var crowd : CROWDS) {
                there = grow(server, there, scale.of(crowd.sandboxes));
                measure(table, server, crowd, there, few, creates(server, scale.of(CREATES)));
            }
        }
        table.note("The project's limits are counted at each create. The server alone, without PostgreSQL and Kafka.");
        return table;
    }

    private static void measure(Table table, Server server, Crowd crowd, int there, Latencies few, Latencies seen)
            throws InterruptedException {
        table.add(
                "create beside " + there + " idle sandboxes",
                seen.figure(),
                few.figure().named("beside " + FEW),
                Figure.amount(seen.p50() / few.p50()) + "×",
                new Goal("p50 ≤ 1.5 ×", seen.p50() <= few.p50() * MOST_TIMES));
        Thread.sleep(SETTLE_MILLIS);
        double percent = percent(server);
        table.add(
                "server with " + there + " idle sandboxes, of one processor",
                Figure.of("percentOfProcessor", percent, "%"),
                Figure.NONE,
                "",
                new Goal("≤ " + Figure.amount(crowd.percent) + " %", percent <= crowd.percent));
        double megabytes = Processes.residentMegabytes(List.of(server.pid()));
        table.add(
                "server with " + there + " idle sandboxes, RSS",
                Figure.of("residentMegabytes", megabytes, "MB"),
                Figure.NONE,
                "",
                new Goal("≤ " + Figure.amount(crowd.megabytes) + " MB", megabytes <= crowd.megabytes));
    }

    /** As many as there are then. */
    private static int grow(Server server, int there, int wanted) throws Exception {
        var makers = new ArrayList<Load.Client>();
        var connections = new ArrayList<Connection>();
        for (int i = 0; i < MAKERS; i++) {
            var connection = server.connect();
            connections.add(connection);
            makers.add(() -> new Sandboxes(connection).createId());
        }
        Load.run(wanted - there, makers);
        for (var connection : connections) {
            connection.close();
        }
        return wanted;
    }

    private static Latencies creates(Server server, int count) throws Exception {
        var times = new ArrayList<Latencies>();
        try (var connection = server.connect()) {
            var sandboxes = new Sandboxes(connection);
            for (int i = 0; i < count; i++) {
                var made = new ArrayList<String>();
                times.add(Load.run(1, () -> made.add(sandboxes.createId())));
                sandboxes.delete(made.getFirst());
                // What a delete leaves to do afterwards is no part of the next create.
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        return Latencies.joined(times);
    }

    private static double percent(Server server) throws InterruptedException {
        var pids = List.of(server.pid());
        double before = Processes.processorSeconds(pids);
        long begun = System.nanoTime();
        Thread.sleep(WATCHED_MILLIS);
        return (Processes.processorSeconds(pids) - before) * 100 * 1e9 / (System.nanoTime() - begun);
    }
}
