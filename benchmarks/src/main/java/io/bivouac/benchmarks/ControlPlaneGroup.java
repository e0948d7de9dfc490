package io.bivouac.benchmarks;

import io.bivouac.sandboxes.fixture.TestStack;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What the functions add to the database work that a request cannot do without; no sandbox is really made. */
final class ControlPlaneGroup implements Group {
    private static final int PARALLEL = 8;
    private static final int CREATES = 600;
    private static final int READS = 4000;
    private static final int TURNS = 4;
    private static final int CREATE_WARM_UP_TURNS = 24;
    private static final int READ_WARM_UP_TURNS = 8;
    private static final double MOST_TIMES = 2;
    private static final double MOST_MORE_MILLIS = 1;
    private static final int LARGE_LIMIT = 100_000;
    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]+)\"");

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
                "Warmed up with twice as many reads, and six times as many creates, as are measured. Server and client share one"
                        + " JVM and its processors: eight clients show the rate under full load, one the time of a request.");
        table.note(
                "Beside: lock, count, insert, 2 events, commit; select, update, 2 events, commit; on a database of its own"
                        + " on the same PostgreSQL, with nobody listening. In turns with the requests.");
        return table;
    }

    private static void measure(Table table, Turns turns) throws Exception {
        try (turns) {
            var create = turns.measure(CREATES, CREATE_WARM_UP_TURNS, turns::creating, BareDatabase.Session::create);
            create.addTo(table, "create", times(create));
            var get = turns.measure(READS, READ_WARM_UP_TURNS, turns::getting, BareDatabase.Session::get);
            get.addTo(table, "get", more(get));
            var list = turns.measure(READS / 2, READ_WARM_UP_TURNS, turns::listing, BareDatabase.Session::list);
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
        void addTo(Table table, String what, Goal goal) {
            table.add(
                    what + ", " + clients + (clients == 1 ? " client" : " clients"),
                    ours.figureWithRate(),
                    bare.figureWithRate().named("JDBC"),
                    Figure.amount(ours.p50() / bare.p50()) + "×",
                    clients == 1 ? goal : Goal.NONE);
        }
    }

    private interface Ours {
        void act(Connection connection) throws Exception;
    }

    private interface Bare {
        void act(BareDatabase.Session session) throws Exception;
    }

    /** One number of clients, each with a connection to either side; both sides have projects of their own. */
    private static final class Turns implements AutoCloseable {
        private final int clients;
        private final Scale scale;
        private final List<Connection> connections = new ArrayList<>();
        private final List<BareDatabase.Session> sessions = new ArrayList<>();
        private final String anySandbox;

        Turns(int port, BareDatabase bare, int clients, Scale scale) throws Exception {
            this.clients = clients;
            this.scale = scale;
            var project = "p" + clients;
            bare.addProject(project);
            try (var system = new Connection(port, TestStack.API_KEY)) {
                var admin = keyIn(system.post(
                                "/api/v1/projects",
                                "{\"name\":\"" + project + "\",\"sandboxLimit\":" + LARGE_LIMIT + "}")
                        .body());
                try (var first = new Connection(port, admin)) {
                    for (int i = 0; i < clients; i++) {
                        // A key of its own: each is held to its rate.
                        var key = keyIn(first.post("/api/v1/keys", "{\"name\":\"k" + i + "\",\"role\":\"developer\"}")
                                .body());
                        connections.add(new Connection(port, key));
                        sessions.add(bare.session(project));
                    }
                }
            }
            anySandbox = new Sandboxes(connections.getFirst()).createId();
        }

        private static String keyIn(String answer) {
            var key = KEY.matcher(answer);
            if (!key.find()) {
                throw new IllegalStateException("no key in " + answer);
            }
            return key.group(1);
        }

        Pair measure(int full, int warmUpTurns, Ours ours, Bare bare) throws Exception {
            int turn = Math.max(1, scale.of(full) / TURNS);
            var oursParts = new ArrayList<Latencies>();
            var bareParts = new ArrayList<Latencies>();
            for (int i = 0; i < warmUpTurns + TURNS; i++) {
                var bareTimes = Load.run(
                        turn,
                        sessions.stream()
                                .<Load.Client>map(session -> () -> bare.act(session))
                                .toList());
                var oursTimes = Load.run(
                        turn,
                        connections.stream()
                                .<Load.Client>map(connection -> () -> ours.act(connection))
                                .toList());
                if (i >= warmUpTurns) {
                    bareParts.add(bareTimes);
                    oursParts.add(oursTimes);
                }
            }
            return new Pair(clients, Latencies.joined(oursParts), Latencies.joined(bareParts));
        }

        void creating(Connection connection) throws Exception {
            connection.post(Sandboxes.PATH, Sandboxes.DEFAULT).mustBe(201);
        }

        void getting(Connection connection) throws Exception {
            connection.get(Sandboxes.PATH + "/" + anySandbox).mustBe(200);
        }

        void listing(Connection connection) throws Exception {
            connection.get(Sandboxes.PATH + "?limit=50").mustBe(200);
        }

        @Override
        public void close() throws Exception {
            for (var connection : connections) {
                connection.close();
            }
            for (var session : sessions) {
                session.close();
            }
        }
    }
}
