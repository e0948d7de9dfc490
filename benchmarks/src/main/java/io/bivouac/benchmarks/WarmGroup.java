package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/** Creates that take a sandbox which runs already, beside those that start one, on two servers of the same kind. */
final class WarmGroup implements Group {
    private static final int WARM = 8;
    private static final int ONE_BY_ONE = 60;
    private static final int IN_A_ROW = 20;
    private static final int ROWS = 3;
    private static final int AT_ONCE = 100;
    private static final int CONTAINERS = 10;
    private static final int WARM_UP = 200;
    private static final double LONGEST_MILLIS = 8;
    private static final double LONGEST_IN_A_ROW = 12;
    private static final double LONGEST_BURST = 2_500;
    private static final long READY_WITHIN_MILLIS = 60_000;
    private static final long LOOK_EVERY_MILLIS = 20;
    private static final Pattern READY = Pattern.compile("\"ready\":([0-9]+)");

    @Override
    public String name() {
        return "warm";
    }

    @Override
    public String about() {
        return "creates that take a sandbox which was started ahead, beside those that start one";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("warm: creates with " + WARM + " sandboxes started ahead, beside none");
        try (var folder = new WorkFolder("warm")) {
            var data = folder.path();
            Measured cold;
            try (var server = Server.start(data.resolve("cold"), Map.of("BIVOUAC_WARM_SANDBOXES", "0"))) {
                cold = measure(server, scale, 0);
            }
            try (var server =
                    Server.start(data.resolve("data"), Map.of("BIVOUAC_WARM_SANDBOXES", Integer.toString(WARM)))) {
                compare(table, measure(server, scale, WARM), cold);
            }
        }
        var docker = Docker.find();
        if (docker.isPresent()) {
            table.note(besides(docker.get(), scale));
        }
        table.note("Warmed up with " + scale.of(WARM_UP) + " creates. One by one: each when the pool is full again. "
                + "In a row: each right after the one before, " + ROWS + " times " + IN_A_ROW + ".");
        return table;
    }

    private record Measured(Latencies single, Latencies row, Latencies burst, int warmInRow) {}

    private static void compare(Table table, Measured warm, Measured cold) {
        add(table, "create → running, one by one", warm.single, cold.single, LONGEST_MILLIS, warm.single.p50());
        add(
                table,
                IN_A_ROW + " in a row, " + warm.warmInRow + " of " + IN_A_ROW * ROWS + " warm",
                warm.row,
                cold.row,
                LONGEST_IN_A_ROW,
                warm.row.p50());
        add(table, AT_ONCE + " at once", warm.burst, cold.burst, LONGEST_BURST, warm.burst.p99());
    }

    private static void add(Table table, String what, Latencies warm, Latencies cold, double longest, double judged) {
        var percentile = longest > 1_000 ? "p99" : "p50";
        table.add(
                what,
                warm.figure(),
                cold.figure().named("cold"),
                "1/" + Figure.amount(cold.p50() / warm.p50()),
                new Goal(percentile + " ≤ " + Figure.amount(longest) + " ms", judged <= longest));
    }

    private static Measured measure(Server server, Scale scale, int ready) throws Exception {
        try (var connection = server.connect()) {
            var sandboxes = new Sandboxes(connection);
            oneByOne(connection, scale.of(WARM_UP), ready);
            var single = oneByOne(connection, scale.of(ONE_BY_ONE), ready);
            var answers = new ArrayList<String>();
            var rows = new ArrayList<Latencies>();
            for (int row = 0; row < ROWS; row++) {
                awaitReady(connection, ready);
                rows.add(Load.run(IN_A_ROW, () -> answers.add(sandboxes.create())));
                sandboxes.deleteAll();
            }
            awaitReady(connection, ready);
            var burst = burst(server);
            sandboxes.deleteAll();
            int warm = (int) answers.stream()
                    .filter(answer -> answer.contains("\"warm\":true"))
                    .count();
            return new Measured(single, Latencies.joined(rows), burst, warm);
        }
    }

    private static Latencies oneByOne(Connection connection, int count, int ready) throws Exception {
        var sandboxes = new Sandboxes(connection);
        var times = new ArrayList<Latencies>();
        for (int i = 0; i < count; i++) {
            awaitReady(connection, ready);
            var made = new ArrayList<String>();
            times.add(Load.run(1, () -> made.add(sandboxes.createId())));
            sandboxes.delete(made.getFirst());
        }
        return Latencies.joined(times);
    }

    private static void awaitReady(Connection connection, int wanted) throws IOException, InterruptedException {
        long deadline = System.currentTimeMillis() + READY_WITHIN_MILLIS;
        do {
            Thread.sleep(LOOK_EVERY_MILLIS);
        } while (ready(connection) < wanted && System.currentTimeMillis() < deadline);
    }

    private static int ready(Connection connection) throws IOException {
        var found = READY.matcher(connection.get("/api/v1/stats").mustBe(200).body());
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    private static Latencies burst(Server server) throws Exception {
        var connections = new ArrayList<Connection>();
        try {
            for (int i = 0; i < AT_ONCE; i++) {
                connections.add(server.connect());
            }
            var free = new ConcurrentLinkedQueue<>(connections);
            List<Load.Client> clients = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                clients.add(() -> new Sandboxes(free.remove()).createId());
            }
            return Load.once(clients);
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    private static String besides(Docker engine, Scale scale) throws Exception {
        var names = new ArrayList<String>();
        engine.remove(engine.start());
        var times = Load.run(scale.of(CONTAINERS), () -> names.add(engine.start()));
        names.forEach(engine::remove);
        return "docker run: " + times.figure().text();
    }
}
