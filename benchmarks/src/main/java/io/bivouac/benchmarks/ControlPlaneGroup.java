package io.bivouac.benchmarks;

import io.bivouac.foundation.fixture.TestStack;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.ArrayList;
import java.util.List;

/** What the functions add to the database work that a request cannot do without; no sandbox is really made. */
final class ControlPlaneGroup implements Group {
    private static final int PARALLEL = 8;
    private static final int CREATES = 600;
    private static final int READS = 4000;
    private static final int TURNS = 4;
    private static final int CREATE_WARM_UP_TURNS = 60;
    private static final int READ_WARM_UP_TURNS = 8;
    private static final double MOST_TIMES = 2;
    private static final double MOST_MORE_MILLIS = 1;
    /** A list of 50 is a whole page, with more behind it. */
    private static final int LISTED = 60;

    @Override
    public String name() {
        return "control-plane";
    }

    @Override
    public String about() {
        return "create, get and list over HTTP, beside the same statements in a bare JDBC loop";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("control-plane: p50 / p99 and rate; in-memory runtime, PostgreSQL and Kafka are real");
        var stack = TestStack.get();
        var properties = stack.propertiesWithKafka();
        properties.put("bivouac.runtime", "memory");
        properties.put("bivouac.host-name", "benchmark-host");
        properties.put("micronaut.server.port", -1);
        // Nothing is made, so no agent ever comes, and nobody should look for one meanwhile.
        properties.put("bivouac.agent.return-timeout", "1h");
        try (var server = ApplicationContext.run(EmbeddedServer.class, properties);
                var bare = BareDatabase.make(stack.postgres().url())) {
            for (int clients : List.of(1, PARALLEL)) {
                measure(table, new Turns(server.getPort(), bare, clients, scale));
            }
        }
        table.note(
                "Warmed up with twice as many reads, and fifteen times as many creates, as are measured. Server and client share one"
                        + " JVM and its processors: eight clients show the rate under full load, one the time of a request.");
        table.note(
                "Beside: lock, count, insert, 2 events, commit; select, update, 2 events, commit; on a database of its own"
                        + " on the same PostgreSQL, with nobody listening. In turns with the requests, each turn of creates in a"
                        + " new project.");
        return table;
    }

    private static void measure(Table table, Turns turns) throws Exception {
        var create = turns.inProjectsOfTheirOwn(CREATES, CREATE_WARM_UP_TURNS);
        create.addTo(table, "create", times(create));
        try (var projects = turns.projects("read")) {
            var sandbox = projects.fill(LISTED);
            var get = turns.measure(
                    projects,
                    READS,
                    connection -> connection.get(Sandboxes.PATH + "/" + sandbox).mustBe(200),
                    BareDatabase.Session::get);
            get.addTo(table, "get", more(get));
            var list = turns.measure(
                    projects,
                    READS / 2,
                    connection -> connection.get(Sandboxes.PATH + "?limit=50").mustBe(200),
                    BareDatabase.Session::list);
            list.addTo(table, "list of 50", more(list));
        }
    }

    private static Goal times(Pair pair) {
        return new Goal("p50 ≤ 2×", pair.ours.p50() <= MOST_TIMES * pair.bare.p50());
    }

    private static Goal more(Pair pair) {
        return new Goal("p50 ≤ 1 ms more", pair.ours.p50() - pair.bare.p50() <= MOST_MORE_MILLIS);
    }

    private record Pair(int clients, Latencies ours, Latencies bare) {
        static Pair joined(int clients, List<TwinProjects.Turn> turns) {
            return new Pair(
                    clients,
                    Latencies.joined(turns.stream().map(TwinProjects.Turn::ours).toList()),
                    Latencies.joined(turns.stream().map(TwinProjects.Turn::bare).toList()));
        }

        void addTo(Table table, String what, Goal goal) {
            table.add(
                    what + ", " + clients + (clients == 1 ? " client" : " clients"),
                    ours.figureWithRate(),
                    bare.figureWithRate().named("JDBC"),
                    Figure.amount(ours.p50() / bare.p50()) + "×",
                    clients == 1 ? goal : Goal.NONE);
        }
    }

    /** Both sides do the same in turns, with a number of clients. */
    private record Turns(int port, BareDatabase bare, int clients, Scale scale) {
        TwinProjects projects(String name) throws Exception {
            return TwinProjects.make(port, bare, name + clients, clients);
        }

        /** Projects do not hold thousands of sandboxes, which each create would count. */
        Pair inProjectsOfTheirOwn(int full, int warmUpTurns) throws Exception {
            int turn = turn(full);
            var measured = new ArrayList<TwinProjects.Turn>();
            for (int i = 0; i < warmUpTurns + TURNS; i++) {
                try (var projects = projects("create" + i + "-")) {
                    measured.add(projects.turn(turn, TwinProjects::create, BareDatabase.Session::create));
                }
            }
            return Pair.joined(clients, measured.subList(warmUpTurns, measured.size()));
        }

        Pair measure(TwinProjects projects, int full, TwinProjects.Ours ours, TwinProjects.Bare bare) throws Exception {
            int turn = turn(full);
            var measured = new ArrayList<TwinProjects.Turn>();
            for (int i = 0; i < READ_WARM_UP_TURNS + TURNS; i++) {
                measured.add(projects.turn(turn, ours, bare));
            }
            return Pair.joined(clients, measured.subList(READ_WARM_UP_TURNS, measured.size()));
        }

        private int turn(int full) {
            return Math.max(1, scale.of(full) / TURNS);
        }
    }
}
