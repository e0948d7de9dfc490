package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** How fast the distribution starts on a data folder that is there, comes up to speed, and what it takes at rest. */
final class StartGroup implements Group {
    private static final int RUNS = 5;
    private static final double LONGEST_SECONDS = 2.6;
    private static final double LARGEST_MEGABYTES = 150;
    private static final int REST_MILLIS = 10_000;
    private static final Map<String, String> WITHOUT_CACHE =
            Map.of("BIVOUAC_JAVA_OPTIONS", "-XX:AOTMode=off", "BIVOUAC_KAFKA_JAVA_OPTIONS", "-XX:AOTMode=off");

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String about() {
        return "warm start of the distribution to /ready, its first minute, and its memory at rest";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("start: warm starts to the first 200 at /ready; median of " + scale.of(RUNS));
        try (var folder = new WorkFolder("start")) {
            var data = folder.path().resolve("data");
            Server.start(data).close();
            starts(table, data, scale.of(RUNS));
            try (var server = Server.start(data)) {
                new FirstMinute(server, scale).measure(table);
            }
            try (var server = Server.start(data)) {
                Thread.sleep(REST_MILLIS);
                memory(table, server);
            }
        }
        table.note("Warmed up by one start that makes the data folder. Memory is taken 10 s after the start.");
        return table;
    }

    private static void starts(Table table, Path data, int runs) throws IOException, InterruptedException {
        var with = new ArrayList<Double>();
        var without = new ArrayList<Double>();
        for (int i = 0; i < runs; i++) {
            with.add(seconds(data, Map.of()));
            without.add(seconds(data, WITHOUT_CACHE));
        }
        double seen = median(with);
        double beside = median(without);
        table.add(
                Server.hasAotCache() ? "start, AOT cache" : "start (this distribution has NO AOT cache)",
                Figure.of("seconds", seen, "s"),
                Figure.of("seconds", beside, "s").named("without AOT cache"),
                Figure.amount(seen / beside) + "×",
                new Goal("≤ " + LONGEST_SECONDS + " s", seen <= LONGEST_SECONDS));
    }

    private static double seconds(Path data, Map<String, String> settings) throws IOException, InterruptedException {
        try (var server = Server.start(data, settings)) {
            return server.startSeconds();
        }
    }

    private static void memory(Table table, Server server) {
        double resident = Processes.residentMegabytes(List.of(server.pid()));
        memory(table, "server", List.of(server.pid()), new Goal("RSS ≤ 150 MB", resident <= LARGEST_MEGABYTES));
        table.note("Of the server's RSS %s MB are its AOT cache, a file that is mapped and read in part."
                .formatted(Figure.amount(Processes.mappedMegabytes(server.pid(), ".aot"))));
        memory(table, "Kafka", server.childrenNaming("kafka"), Goal.NONE);
        memory(table, "PostgreSQL", server.childrenNaming("postgres"), Goal.NONE);
    }

    private static void memory(Table table, String what, List<Long> pids, Goal goal) {
        double resident = Processes.residentMegabytes(pids);
        double proportional = Processes.proportionalMegabytes(pids);
        table.add(
                "memory at rest: " + what,
                new Figure(
                        "RSS %s, PSS %s MB".formatted(Figure.amount(resident), Figure.amount(proportional)),
                        Map.of("rssMegabytes", resident, "pssMegabytes", proportional)),
                Figure.NONE,
                "",
                goal);
    }

    private static double median(List<Double> values) {
        Collections.sort(values);
        return values.get(values.size() / 2);
    }
}
