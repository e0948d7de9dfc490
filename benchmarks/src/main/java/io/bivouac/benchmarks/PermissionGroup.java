package io.bivouac.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Pattern;

/** How long a program waits for a yes that is given at once. */
final class PermissionGroup implements Group {
    /** A sandbox is let ask so often before it has to slow down. */
    private static final int QUESTIONS = 28;

    private static final int SANDBOXES = 8;
    private static final int WARM_UP = 40;

    /** Far more often than people are asked, and seldom enough that no question waits for what another left to do. */
    private static final Duration APART = Duration.ofMillis(50);

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
            ask(server, connection, WARM_UP, Duration.ZERO);
            var questions = Passage.of("question", connection);
            var answers = Passage.of("answer", connection);
            var turns = ask(server, connection, scale.of(SANDBOXES), APART);
            inside(
                    table,
                    Passage.of("question", connection).since(questions),
                    Passage.of("answer", connection).since(answers));
            endToEnd(table, turns);
        }
        table.note(
                "Inside the relay, by its own metric: a question from the agent until it is sent to the approver, and"
                        + " the answer until it is sent to the agent; two transactions, each with its event and audit row. The"
                        + " other row has the start of the program, the door and the approver in it as well. Warmed up with "
                        + WARM_UP * QUESTIONS + " questions, one at once after the other; those measured begin "
                        + APART.toMillis() + " ms apart.");
        return table;
    }

    private static void inside(Table table, Passage questions, Passage answers) {
        double mean = questions.meanMillis() + answers.meanMillis();
        double most = questions.p99Millis() + answers.p99Millis();
        table.add(
                "inside the relay, mean",
                new Figure(
                        Figure.amount(mean) + " ms, p99 < " + Figure.amount(most) + " ms",
                        Map.of("meanMillis", mean, "p99Millis", most, "operations", answers.count())),
                new Figure(
                        "question " + Figure.amount(questions.meanMillis()) + " ms, answer "
                                + Figure.amount(answers.meanMillis()) + " ms",
                        Map.of("questionMillis", questions.meanMillis(), "answerMillis", answers.meanMillis())),
                "",
                new Goal("≤ 10 ms", mean <= LONGEST_MILLIS));
    }

    private static void endToEnd(Table table, Turns turns) {
        double more = turns.asked().p50() - turns.bare().p50();
        table.add(
                "ask, yes, go on",
                turns.asked().figure(),
                turns.bare().figure().named("--help"),
                "+ " + Figure.amount(more) + " ms",
                Goal.NONE);
    }

    private record Turns(Latencies asked, Latencies bare) {}

    private static Turns ask(Server server, Connection connection, int count, Duration apart) throws Exception {
        var asked = new ArrayList<Latencies>();
        var bare = new ArrayList<Latencies>();
        var sandboxes = new Sandboxes(connection);
        for (int i = 0; i < count; i++) {
            var box = new TerminalBox(server, connection, sandboxes.createId());
            bare.add(Load.paced(QUESTIONS, apart, () -> exec(box, "--help", "a")));
            asked.add(questions(box, apart));
        }
        return new Turns(Latencies.joined(asked), Latencies.joined(bare));
    }

    private static Latencies questions(TerminalBox box, Duration apart) throws Exception {
        try (var socket = box.attach(box.pty("sleep 600"), "", TerminalSocket.JSON)) {
            var approver = Thread.ofPlatform().daemon().start(() -> approve(socket));
            var latencies = Load.paced(QUESTIONS, apart, () -> exec(box, "--action", "measure"));
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
