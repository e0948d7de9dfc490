package io.bivouac.benchmarks;

import java.util.List;

/** What the server does while nobody asks it for anything. */
record SandboxIdleness(Server server) {
    private static final int SANDBOXES = 200;
    /** Until the compilers are done with what was made hot by making the sandboxes. */
    private static final int SETTLE_MILLIS = 60_000;

    private static final int WATCHED_MILLIS = 30_000;
    private static final double MOST_PERCENT = 2;

    void measure(Table table) throws Exception {
        double before = percent();
        try (var connection = server.connect()) {
            var sandboxes = new Sandboxes(connection);
            sandboxes.createIds(SANDBOXES);
            Thread.sleep(SETTLE_MILLIS);
            double seen = percent();
            sandboxes.deleteAll();
            table.add(
                    "server with " + SANDBOXES + " idle sandboxes, of one processor",
                    Figure.of("percentOfProcessor", seen, "%"),
                    Figure.of("percentOfProcessor", before, "%").named("with none"),
                    "",
                    new Goal("≤ 2 %", seen <= MOST_PERCENT));
        }
    }

    private double percent() throws InterruptedException {
        var pids = List.of(server.pid());
        double before = Processes.processorSeconds(pids);
        long begun = System.nanoTime();
        Thread.sleep(WATCHED_MILLIS);
        return (Processes.processorSeconds(pids) - before) * 100 * 1e9 / (System.nanoTime() - begun);
    }
}
