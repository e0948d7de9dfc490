package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;

/** How a server that has just started comes up to speed: one client, one create after the other. */
record FirstMinute(Server server, Scale scale) {
    private static final int CREATES = 220;
    private static final int LAST = 20;
    private static final int COMMANDS = 40;
    private static final long PAUSE_MILLIS = 50;
    private static final double LONGEST_FIRST = 80;
    private static final double LONGEST_EARLY = 35;
    private static final double LONGEST_LATE = 22;
    private static final double TIMES_BARE = 3;
    private static final int OK = 200;

    void measure(Table table) throws Exception {
        var creates = new ArrayList<Latencies>();
        var commands = new ArrayList<Latencies>();
        try (var connection = server.connect()) {
            var sandboxes = new Sandboxes(connection);
            for (int i = 0; i < Math.max(2 * LAST, scale.of(CREATES)); i++) {
                var made = new ArrayList<String>();
                creates.add(Load.run(1, () -> made.add(sandboxes.createId())));
                if (i == 0) {
                    for (int command = 0; command < COMMANDS; command++) {
                        commands.add(Load.run(1, () -> run(connection, made.getFirst())));
                    }
                }
                sandboxes.delete(made.getFirst());
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        var bare = SandboxCreation.bareBubblewrap(scale);
        var first = creates.getFirst();
        var early = Latencies.joined(creates.subList(1, LAST));
        var late = Latencies.joined(creates.subList(creates.size() - LAST, creates.size()));
        add(table, "create, 1st", first, bare, goal(first.p50(), LONGEST_FIRST));
        add(table, "create, 2nd–20th", early, bare, goal(early.p50(), LONGEST_EARLY));
        add(table, "create, after " + (creates.size() - LAST), late, bare, lateGoal(late.p50(), bare.p50()));
        add(table, "command, 1st", commands.getFirst(), bare, Goal.NONE);
        add(table, "command, later", Latencies.joined(commands.subList(LAST, COMMANDS)), bare, Goal.NONE);
        table.note("Creates and commands of one client after a start, " + PAUSE_MILLIS + " ms after each delete.");
    }

    private static void run(Connection connection, String sandbox) throws IOException {
        connection
                .post(Sandboxes.PATH + "/" + sandbox + "/exec", "{\"command\":[\"true\"]}")
                .mustBe(OK);
    }

    private static void add(Table table, String what, Latencies seen, Latencies bare, Goal goal) {
        table.add(
                what,
                seen.figure(),
                bare.figure().named("bwrap … true"),
                Figure.amount(seen.p50() / bare.p50()) + "×",
                goal);
    }

    private static Goal goal(double seen, double longest) {
        return new Goal("p50 ≤ " + Figure.amount(longest) + " ms", seen <= longest);
    }

    private static Goal lateGoal(double seen, double bare) {
        return new Goal("p50 ≤ 22 ms or 3 × bwrap", seen <= LONGEST_LATE || seen <= TIMES_BARE * bare);
    }
}
