package io.bivouac.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What one idle sandbox holds on to: its agent, supervisor and bwrap; beside a container's shim and process. */
record SandboxMemory(Server server, Optional<Docker> docker) {
    private static final int SANDBOXES = 20;
    private static final int SETTLE_MILLIS = 3000;
    private static final double MOST_MEGABYTES = 3;

    void measure(Table table) throws Exception {
        double seen = sandboxes();
        double beside = docker.isPresent() ? containers(docker.get()) : Double.NaN;
        table.add(
                "memory of an idle sandbox (PSS)",
                Figure.of("pssMegabytes", seen, "MB"),
                docker.isPresent() ? Figure.of("pssMegabytes", beside, "MB").named("docker") : Figure.NONE,
                docker.isPresent() ? "1/" + Figure.amount(beside / seen) : "",
                new Goal("≤ 3 MB", seen <= MOST_MEGABYTES));
        table.note("Memory: mean of " + SANDBOXES + "; docker's is the containerd shim with the container's process.");
    }

    private double sandboxes() throws Exception {
        try (var connection = server.connect()) {
            var sandboxes = new Sandboxes(connection);
            var ids = sandboxes.createIds(SANDBOXES);
            Thread.sleep(SETTLE_MILLIS);
            double megabytes = meanOfTrees(ids);
            for (var id : ids) {
                sandboxes.delete(id);
            }
            return megabytes;
        }
    }

    private static double containers(Docker engine) throws InterruptedException {
        var names = new ArrayList<String>();
        for (int i = 0; i < SANDBOXES; i++) {
            names.add(engine.start());
        }
        Thread.sleep(SETTLE_MILLIS);
        double megabytes = meanOfTrees(names.stream().map(engine::idOf).toList());
        names.forEach(engine::remove);
        return megabytes;
    }

    /** Of the processes that name the id, and all that they have started. */
    private static double meanOfTrees(List<String> ids) {
        return ids.stream()
                .mapToDouble(id -> Processes.proportionalMegabytes(Processes.naming(id).stream()
                        .flatMap(pid -> Processes.withDescendants(pid).stream())
                        .distinct()
                        .toList()))
                .average()
                .orElseThrow();
    }
}
