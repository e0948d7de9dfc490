package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Fifty creates at the same moment. */
record SandboxBurst(Server server, Optional<Docker> docker) {
    private static final int AT_ONCE = 50;
    private static final double LONGEST_MILLIS = 1000;

    /** How long each took, and those that were made; the others were refused. */
    private record Burst(Latencies times, Queue<String> made, Queue<String> refusals) {}

    void measure(Table table) throws Exception {
        sandboxes();
        var seen = sandboxes();
        var container = docker.isPresent() ? containers(docker.get()) : null;
        table.add(
                AT_ONCE + " creates at once, of which " + seen.made.size() + " run",
                seen.times.figure(),
                container == null
                        ? Figure.NONE
                        : container.times.figure().named("docker run, " + container.made.size()),
                container == null ? "" : "1/" + Figure.amount(container.times.p99() / seen.times.p99()),
                new Goal("50 of 50, p99 ≤ 1 s", seen.made.size() == AT_ONCE && seen.times.p99() <= LONGEST_MILLIS));
        seen.refusals.stream().distinct().forEach(refusal -> table.note("Refused: " + refusal));
    }

    private Burst sandboxes() throws Exception {
        var connections = new ArrayList<Connection>();
        try {
            for (int i = 0; i < AT_ONCE; i++) {
                connections.add(server.connect());
            }
            var free = new ConcurrentLinkedQueue<>(connections);
            var burst = atOnce(() -> new Sandboxes(free.remove()).createId());
            new Sandboxes(connections.getFirst()).deleteAll();
            return burst;
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    private static Burst containers(Docker engine) throws Exception {
        var burst = atOnce(engine::start);
        burst.made.forEach(engine::remove);
        return burst;
    }

    private interface Maker {
        String make() throws IOException;
    }

    private static Burst atOnce(Maker maker) throws Exception {
        var made = new ConcurrentLinkedQueue<String>();
        var refusals = new ConcurrentLinkedQueue<String>();
        var clients = new ArrayList<Load.Client>();
        for (int i = 0; i < AT_ONCE; i++) {
            clients.add(() -> {
                try {
                    made.add(maker.make());
                } catch (IllegalStateException refused) {
                    refusals.add(refused.getMessage());
                }
            });
        }
        return new Burst(Load.once(clients), made, refusals);
    }
}
