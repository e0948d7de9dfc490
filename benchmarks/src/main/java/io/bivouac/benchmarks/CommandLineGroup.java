package io.bivouac.benchmarks;

import java.nio.file.Path;
import java.util.List;

/** What a person waits for who types {@code bivouac exec}. */
final class CommandLineGroup implements Group {
    private static final Path PROGRAM = Path.of("cli", "dist", "bivouac.js").toAbsolutePath();
    private static final int COMMANDS = 50;
    private static final int CONTAINER_COMMANDS = 20;
    private static final int WARM_UP = 2000;
    private static final double LONGEST_MILLIS = 150;

    @Override
    public String name() {
        return "command-line";
    }

    @Override
    public String about() {
        return "`bivouac exec … true` from the program's start to its end; beside a bare Node and docker exec";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("command line: `true` in a running sandbox, a new process each time");
        try (var docker = Docker.find().orElse(null);
                var folder = new WorkFolder("command-line");
                var server = Server.start(folder.path().resolve("data"));
                var connection = server.connect()) {
            var id = new Sandboxes(connection).createId();
            var request = connection.request("POST", Sandboxes.PATH + "/" + id + "/exec", "{\"command\":[\"true\"]}");
            for (int i = 0; i < scale.of(WARM_UP); i++) {
                connection.send(request).mustBe(200);
            }
            var node = Programs.find("node").orElseThrow(() -> new IllegalStateException("there is no node"));
            var exec = List.of(
                    node, PROGRAM.toString(), "exec", "--url", server.url(), "--key", Server.KEY, id, "--", "true");
            Programs.run(exec);
            var ours = Load.run(scale.of(COMMANDS), () -> Programs.run(exec));
            var bare = Load.run(scale.of(COMMANDS), () -> Programs.run(List.of(node, "-e", "0")));
            table.add(
                    "bivouac exec",
                    ours.figure(),
                    bare.figure().named("node -e 0"),
                    "+ " + Figure.amount(ours.p50() - bare.p50()) + " ms",
                    new Goal("p50 ≤ 150 ms", ours.p50() <= LONGEST_MILLIS));
            if (docker != null) {
                beside(table, docker, ours, scale.of(CONTAINER_COMMANDS));
            }
        }
        return table;
    }

    private static void beside(Table table, Docker docker, Latencies ours, int commands) throws Exception {
        var container = docker.start();
        docker.exec(container, "true");
        var theirs = Load.run(commands, () -> docker.exec(container, "true"));
        docker.remove(container);
        table.add(
                "bivouac exec",
                ours.figure(),
                theirs.figure().named("docker exec"),
                Figure.amount(ours.p50() / theirs.p50()) + "×",
                Goal.NONE);
    }
}
