package io.bivouac.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * What other projects notice while one project attacks with all that its keys and its sandboxes can: answers that
 * are never read, the largest listings and logs over and over, more event streams and requests than it may have, and
 * root inside a sandbox that floods the relay's socket.
 */
final class AttackGroup implements Group {
    private static final int CREATES = 60;
    private static final int EXECS = 1_000;
    private static final int WARM_UP = 100;
    private static final int STREAMS = 400;
    private static final int LISTERS = 12;
    private static final int LOG_READERS = 8;
    private static final int MAKERS = 4;
    private static final int SETTLE_MILLIS = 3_000;
    private static final double MOST_TIMES = 2;
    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]+)\"");
    private static final String LABELS = "\"labels\":{" + labels() + "}";

    /** As root in a sandbox: connects without end, from a hundred processes. */
    private static final String FLOOD = """
            import glob, os, socket
            path = glob.glob('/run/bivouac/relay/*.sock')[0]
            for i in range(100):
                if os.fork() == 0:
                    os.setsid()
                    for descriptor in (0, 1, 2):
                        os.close(descriptor)
                    held = []
                    while True:
                        one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                        held.append(one)
                        try:
                            one.connect(path)
                        except OSError:
                            pass
                        if len(held) == 200:
                            for other in held:
                                other.close()
                            held = []
            """;

    @Override
    public String name() {
        return "attack";
    }

    @Override
    public String about() {
        return "creates and commands of one project while another one attacks with keys and as root in a sandbox";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("attack: p50 / p99 over HTTP, another project beside an attacking one");
        try (var folder = new WorkFolder("attack");
                var server = Server.start(folder.path().resolve("data"), Map.of("BIVOUAC_WARM_SANDBOXES", "0"))) {
            var victim = project(server, "victim");
            var attacker = project(server, "attacker");
            try (var connection = new Connection(server.port(), victim)) {
                var sandboxes = new Sandboxes(connection);
                var sandbox = sandboxes.createId();
                execs(connection, sandbox, WARM_UP);
                creates(sandboxes, scale.of(WARM_UP) / 2);
                var calm = new Turn(execs(connection, sandbox, scale.of(EXECS)), creates(sandboxes, scale.of(CREATES)));
                var refused = new AtomicInteger();
                Turn attacked;
                try (var attack = new Background()) {
                    begin(attack, server, attacker, refused);
                    Thread.sleep(SETTLE_MILLIS);
                    attacked = new Turn(
                            execs(connection, sandbox, scale.of(EXECS)), creates(sandboxes, scale.of(CREATES)));
                }
                row(table, "exec true", attacked.execs, calm.execs);
                row(table, "create", attacked.creates, calm.creates);
                table.note("The attacker was refused " + refused.get() + " times (429, 503). The server lives: "
                        + server.isAlive() + ".");
            }
        }
        return table;
    }

    private record Turn(Latencies execs, Latencies creates) {}

    private static void row(Table table, String what, Latencies attacked, Latencies calm) {
        double times = attacked.p99() / calm.p99();
        table.add(
                what + " while another project attacks",
                attacked.figure(),
                calm.figure().named("without"),
                Figure.amount(times) + "×",
                new Goal("p99 ≤ 2 ×", times <= MOST_TIMES));
    }

    private static String project(Server server, String name) throws Exception {
        try (var system = server.connect()) {
            var made = KEY.matcher(system.post("/api/v1/projects", "{\"name\":\"" + name + "\"}")
                    .mustBe(201)
                    .body());
            if (!made.find()) {
                throw new IllegalStateException("no key for " + name);
            }
            return made.group(1);
        }
    }

    private static Latencies execs(Connection connection, String sandbox, int count) throws Exception {
        var request = connection.request("POST", Sandboxes.PATH + "/" + sandbox + "/exec", "{\"command\":[\"true\"]}");
        return Load.run(count, () -> connection.send(request).mustBe(200));
    }

    private static Latencies creates(Sandboxes sandboxes, int count) throws Exception {
        var times = new java.util.ArrayList<Latencies>();
        for (int i = 0; i < Math.max(1, count); i++) {
            var made = new java.util.ArrayList<String>();
            times.add(Load.run(1, () -> made.add(sandboxes.createId())));
            sandboxes.delete(made.getFirst());
        }
        return Latencies.joined(times);
    }

    private static void begin(Background attack, Server server, String key, AtomicInteger refused) throws Exception {
        String sandbox;
        try (var connection = new Connection(server.port(), key)) {
            sandbox = Sandboxes.idIn(connection
                    .post(Sandboxes.PATH, "{\"template\":\"default\"," + LABELS + "}")
                    .mustBe(201)
                    .body());
            var path = Sandboxes.PATH + "/" + sandbox;
            // Large events to list, and a large log.
            for (int i = 0; i < 20; i++) {
                connection.post(path + "/extend", "{\"seconds\":1}");
            }
            connection.post(
                    path + "/exec",
                    "{\"command\":[\"sh\",\"-c\",\"for f in /run/bivouac/log/*; do yes x | head -c 4000000 >> $f; done\"],"
                            + "\"user\":\"root\"}");
            connection
                    .post(path + "/exec", "{\"command\":[\"python3\",\"-c\"," + quoted(FLOOD) + "],\"user\":\"root\"}")
                    .mustBe(200);
        }
        var path = Sandboxes.PATH + "/" + sandbox;
        var unread = "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + key
                + "\r\nLast-Event-ID: 0\r\n\r\n";
        for (int i = 0; i < STREAMS; i++) {
            attack.hold(server.port(), unread);
        }
        for (var asked :
                List.of(path + "/events?limit=500", "/api/v1/sandboxes?limit=500", path + "/logs?tail=10000")) {
            int readers = asked.contains("logs") ? LOG_READERS : LISTERS;
            for (int i = 0; i < readers; i++) {
                attack.repeat(() -> {
                    try (var connection = new Connection(server.port(), key)) {
                        count(connection.get(asked), refused);
                    }
                });
            }
        }
        for (int i = 0; i < MAKERS; i++) {
            attack.repeat(() -> {
                try (var connection = new Connection(server.port(), key)) {
                    var made = connection.post(Sandboxes.PATH, Sandboxes.DEFAULT);
                    count(made, refused);
                    if (made.status() == 201) {
                        new Sandboxes(connection).delete(Sandboxes.idIn(made.body()));
                    }
                }
            });
        }
    }

    private static void count(Connection.Answer answer, AtomicInteger refused) {
        if (answer.status() == 429 || answer.status() == 503) {
            refused.incrementAndGet();
        }
    }

    private static String labels() {
        var labels = new java.util.StringJoiner(",");
        for (int i = 0; i < 64; i++) {
            labels.add("\"l" + i + "\":\"" + "x".repeat(256) + "\"");
        }
        return labels.toString();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
