package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Pattern;

/** How long a program waits for a yes that is given at once. */
final class PermissionGroup implements Group {
    /** A sandbox is let ask so often before it has to slow down. */
    private static final int QUESTIONS = 28;

    private static final int SANDBOXES = 8;
    private static final int WARM_UP = 40;
    private static final double LONGEST_MILLIS = 10;
    private static final String PROGRAM = "/.bivouac/bin/bivouac-ask";
    private static final Pattern REQUEST = Pattern.compile("permission_request\".*?(perm_[0-9a-z]{26})");

    @Override
    public String name() {
        return "permission";
    }

    @Override
    public String about() {
        return "`bivouac-ask` with an approver at the terminal's WebSocket who says yes at once; beside its --help";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("permission: a question, its yes over the WebSocket, and back, POST …/exec");
        try (var folder = new WorkFolder("permission");
                var server = Server.start(folder.path().resolve("data"), Map.of("BIVOUAC_TERMINAL_PER_USER", "1000"));
                var connection = server.connect()) {
            var sandboxes = new Sandboxes(connection);
            var asked = new ArrayList<Latencies>();
            var bare = new ArrayList<Latencies>();
            for (int i = 0; i < WARM_UP + scale.of(SANDBOXES); i++) {
                var box = new TerminalBox(server, connection, sandboxes.createId());
                bare.add(Load.run(QUESTIONS, () -> exec(box, "--help", "a")));
                asked.add(questions(box));
            }
            var with = Latencies.joined(asked.subList(WARM_UP, asked.size()));
            var without = Latencies.joined(bare.subList(WARM_UP, bare.size()));
            double more = with.p50() - without.p50();
            table.add(
                    "ask, yes, go on",
                    with.figure(),
                    without.figure().named("--help"),
                    "+ " + Figure.amount(more) + " ms",
                    new Goal("≤ 10 ms more", more <= LONGEST_MILLIS));
        }
        table.note("Two transactions, each with its event and audit row, are in it. Warmed up with "
                + WARM_UP * QUESTIONS + " questions.");
        return table;
    }

    private static Latencies questions(TerminalBox box) throws Exception {
        try (var socket = box.attach(box.pty("sleep 600"), "", TerminalSocket.JSON)) {
            var approver = Thread.ofPlatform().daemon().start(() -> approve(socket));
            var latencies = Load.run(QUESTIONS, () -> exec(box, "--action", "measure"));
            socket.close();
            approver.join();
            return latencies;
        }
    }

    private static void approve(TerminalSocket socket) {
        try {
            while (socket.next()) {
                var request = REQUEST.matcher(socket.text());
                if (request.find()) {
                    socket.say("{\"type\":\"permission_response\",\"requestId\":\"" + request.group(1)
                            + "\",\"granted\":true}");
                }
            }
        } catch (IOException closed) {
            // The end of the measurement.
        }
    }

    private static void exec(TerminalBox box, String flag, String value) throws IOException {
        var words = flag.equals("--help") ? "\"--help\"" : "\"" + flag + "\",\"" + value + "\"";
        var answer = box.connection()
                .post(box.path("/exec"), "{\"command\":[\"" + PROGRAM + "\"," + words + "]}")
                .mustBe(200)
                .body();
        if (!answer.contains("\"exitCode\":0")) {
            throw new IllegalStateException("not granted: " + answer);
        }
    }
}
