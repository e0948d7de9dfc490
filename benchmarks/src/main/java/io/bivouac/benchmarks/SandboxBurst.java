package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Fifty creates at the same moment. */
record SandboxBurst(Server server, Optional<Docker> docker) {
    private static final int AT_ONCE = 50;
    private static final double LONGEST_MILLIS = 1000;

    void measure(Table table) throws Exception {
        creates();
        var seen = creates();
        var container = docker.isPresent() ? containers(docker.get()) : null;
        table.add(
                AT_ONCE + " creates at once, of which " + seen.count() + " run",
                seen.figure(),
                container == null ? Figure.NONE : container.figure().named("docker run"),
                container == null ? "" : "1/" + Figure.amount(container.p99() / seen.p99()),
                new Goal("50 of 50, p99 ≤ 1 s", seen.count() == AT_ONCE && seen.p99() <= LONGEST_MILLIS));
    }

    private Latencies creates() throws Exception {
        var connections = new ArrayList<Connection>();
        var made = new ConcurrentLinkedQueue<String>();
        try {
            var clients = new ArrayList<Load.Client>();
            for (int i = 0; i < AT_ONCE; i++) {
                var connection = server.connect();
                connections.add(connection);
                clients.add(() -> made.add(new Sandboxes(connection).createId()));
            }
            return Load.once(clients);
        } finally {
            for (var id : made) {
                new Sandboxes(connections.getFirst()).delete(id);
            }
            close(connections);
        }
    }

    private static void close(List<Connection> connections) throws IOException {
        for (var connection : connections) {
            connection.close();
        }
    }

    private static Latencies containers(Docker engine) throws Exception {
        var names = new ConcurrentLinkedQueue<String>();
        var clients = new ArrayList<Load.Client>();
        for (int i = 0; i < AT_ONCE; i++) {
            clients.add(() -> names.add(engine.start()));
        }
        try {
            return Load.once(clients);
        } finally {
            names.forEach(engine::remove);
        }
    }
}
