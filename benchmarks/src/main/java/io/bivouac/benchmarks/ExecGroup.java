package io.bivouac.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** The shortest command there is, in a sandbox that runs. */
final class ExecGroup implements Group {
    private static final int PARALLEL = 8;
    private static final int WARM_UP = 30_000;
    private static final int COMMANDS = 2000;
    private static final int PARALLEL_COMMANDS = 10_000;
    private static final int CONTAINER_COMMANDS = 40;
    private static final double LONGEST_MILLIS = 3;
    private static final double LEAST_PER_SECOND = 1000;
    private static final double TIMES_DOCKER = 50;
    private static final String TRUE = "{\"command\":[\"true\"]}";

    @Override
    public String name() {
        return "exec";
    }

    @Override
    public String about() {
        return "`true` in a running sandbox, one after the other and with 8 clients; beside docker exec and posix_spawn";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("exec: `true` as an argv, POST …/exec over kept-alive HTTP");
        try (var docker = Docker.find().orElse(null);
                var folder = new WorkFolder("exec");
                var server = Server.start(folder.path().resolve("data"));
                var connection = server.connect()) {
            var id = new Sandboxes(connection).createWide();
            commands(server, id, PARALLEL, scale.of(WARM_UP));
            var one = commands(server, id, 1, scale.of(COMMANDS));
            var many = commands(server, id, PARALLEL, scale.of(PARALLEL_COMMANDS));
            var bareOne = bare(1, scale.of(COMMANDS));
            var bareMany = bare(PARALLEL, scale.of(PARALLEL_COMMANDS));
            table.add(
                    "1 client",
                    one.figureWithRate(),
                    bareOne.figureWithRate().named("spawn+wait"),
                    Figure.amount(one.p50() / bareOne.p50()) + "×",
                    new Goal("p50 ≤ 3 ms", one.p50() <= LONGEST_MILLIS));
            table.add(
                    "8 clients",
                    many.figureWithRate(),
                    bareMany.figureWithRate().named("spawn+wait"),
                    Figure.amount(many.perSecond() / bareMany.perSecond()) + "× the rate",
                    new Goal("≥ 1,000/s", many.perSecond() >= LEAST_PER_SECOND));
            if (docker != null) {
                beside(table, docker, one, many, scale.of(CONTAINER_COMMANDS));
            }
        }
        table.note(Sandboxes.WIDE);
        table.note("Warmed up with " + scale.of(WARM_UP)
                + " commands. spawn+wait: posix_spawn and waitpid of /usr/bin/true by"
                + " this JVM, on the host. docker exec: the command line client, busybox's true.");
        return table;
    }

    private static void beside(Table table, Docker docker, Latencies one, Latencies many, int commands)
            throws Exception {
        var container = docker.start();
        docker.exec(container, "true");
        var oneThere = Load.run(commands, () -> docker.exec(container, "true"));
        var manyThere = Load.run(commands * 2, clients(PARALLEL, () -> docker.exec(container, "true")));
        docker.remove(container);
        table.add(
                "1 client",
                one.figureWithRate(),
                oneThere.figureWithRate().named("docker exec"),
                "1/" + Figure.amount(oneThere.p50() / one.p50()),
                Goal.NONE);
        table.add(
                "8 clients",
                many.rate(),
                manyThere.rate().named("docker exec"),
                Figure.amount(many.perSecond() / manyThere.perSecond()) + "× the rate",
                new Goal("≥ 50× docker", many.perSecond() >= TIMES_DOCKER * manyThere.perSecond()));
    }

    private static Latencies commands(Server server, String id, int clients, int count) throws Exception {
        var connections = new ArrayList<Connection>();
        try {
            var acts = new ArrayList<Load.Client>();
            for (int i = 0; i < clients; i++) {
                var connection = server.connect();
                connections.add(connection);
                var request = connection.request("POST", Sandboxes.PATH + "/" + id + "/exec", TRUE);
                acts.add(() -> connection.send(request).mustBe(200));
            }
            return Load.run(count, acts);
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    private static Latencies bare(int clients, int count) throws Exception {
        return Load.run(count, clients(clients, () -> Programs.run(List.of("/usr/bin/true"))));
    }

    private static List<Load.Client> clients(int count, Load.Client client) {
        return java.util.Collections.nCopies(count, client);
    }
}
