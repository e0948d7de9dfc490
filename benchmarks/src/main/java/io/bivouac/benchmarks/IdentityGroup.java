package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/** Guests: how much a login with a proof costs, and how long a session takes that a Pod's ACL grants. */
final class IdentityGroup implements Group {
    private static final String SESSIONS = "/-/terminal/sessions";
    private static final String POD = "https://pod.example/alice/";
    private static final Pattern SESSION = Pattern.compile("sess_[0-9a-z]{26}");
    private static final int PARALLEL = 8;
    private static final int WARM_UP = 2_000;
    private static final int LOGINS = 4_000;
    private static final int OPENED = 100;
    private static final double LONGEST_MILLIS = 150;

    @Override
    public String name() {
        return "identity";
    }

    @Override
    public String about() {
        return "logins with a WebID's token and a DPoP proof, and sessions by the ACL of a Pod on this machine";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("identity: Solid-OIDC tokens with DPoP proofs, ES256, keys and profile known");
        try (var guest = new BenchmarkGuest()) {
            ProofChecks.measure(table, guest, scale);
        }
        try (var guest = new BenchmarkGuest();
                var folder = new WorkFolder("identity");
                var server = Server.start(folder.path().resolve("data"), settings(pod(folder, guest)));
                var connection = server.connect()) {
            var id = Sandboxes.idIn(connection
                    .post(Sandboxes.PATH, "{\"template\":\"default\",\"labels\":{\"pod\":\"" + POD + "\"}}")
                    .mustBe(201)
                    .body());
            logins(server, guest, scale.of(WARM_UP));
            var before = Processes.processorSeconds(List.of(server.pid()));
            var logins = logins(server, guest, scale.of(LOGINS));
            double perCoreSecond = logins.count() / (Processes.processorSeconds(List.of(server.pid())) - before);
            table.add(
                    "logins, 8 clients",
                    logins.figureWithRate(),
                    Figure.of("perCoreSecond", perCoreSecond, "a second of one core"),
                    "",
                    Goal.NONE);
            var opened = sessions(server, guest, id, scale.of(OPENED));
            table.add(
                    "session opened",
                    opened.figure(),
                    Figure.NONE,
                    "",
                    new Goal("p50 ≤ 150 ms", opened.p50() <= LONGEST_MILLIS));
        }
        table.note("A login is GET " + SESSIONS + "?limit=1 with a fresh proof: HTTP, both checks, the proof written"
                + " down in PostgreSQL, and the listing. A core's second is of the server's own process, all of that"
                + " included. A session is opened in a sandbox that runs, by the ACL in a folder.");
        return table;
    }

    private static Map<String, String> settings(Path pod) {
        return Map.of(
                "BIVOUAC_PODS", POD + "=" + pod,
                "BIVOUAC_SOLID_ALLOW", "127.0.0.0/8",
                "BIVOUAC_TERMINAL_PER_USER", "1000",
                "BIVOUAC_TERMINAL_TOTAL", "1000");
    }

    private static Path pod(WorkFolder folder, BenchmarkGuest guest) throws IOException {
        var pod =
                Files.createDirectories(folder.path().resolve("pod/.terminal")).getParent();
        var rule = """
                @prefix acl: <http://www.w3.org/ns/auth/acl#> .
                <#guest> a acl:Authorization ; acl:agent <%s> ; acl:accessTo <./> ; acl:default <./> ;
                    acl:mode acl:Read, acl:Write .
                """.formatted(guest.webId());
        Files.writeString(pod.resolve(".terminal/.acl"), rule);
        Files.writeString(pod.resolve(".acl"), rule);
        return pod;
    }

    /** Proofs are signed before the clock starts: a client's work is not the server's. */
    private static Latencies logins(Server server, BenchmarkGuest guest, int count) throws Exception {
        var token = guest.token();
        Queue<byte[]> requests = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < count; i++) {
            requests.add(request(server, guest, token, "GET", SESSIONS, "?limit=1", ""));
        }
        var clients = new ArrayList<Load.Client>();
        var connections = new ArrayList<Connection>();
        try {
            for (int i = 0; i < PARALLEL; i++) {
                var connection = server.connect();
                connections.add(connection);
                clients.add(() -> connection.send(requests.remove()).mustBe(200));
            }
            return Load.run(count, clients);
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    private static Latencies sessions(Server server, BenchmarkGuest guest, String sandbox, int count) throws Exception {
        var token = guest.token();
        var body = "{\"sandboxId\":\"" + sandbox + "\",\"command\":\"cat\",\"workdir\":\"/workspace\"}";
        var times = new ArrayList<Long>();
        long wall = System.nanoTime();
        try (var connection = server.connect()) {
            for (int i = 0; i < count; i++) {
                var request = request(server, guest, token, "POST", SESSIONS, "", body);
                long begun = System.nanoTime();
                var made = connection.send(request).mustBe(201).body();
                times.add(System.nanoTime() - begun);
                var session = SESSION.matcher(made);
                if (!session.find()) {
                    throw new IllegalStateException("no session in " + made);
                }
                var path = SESSIONS + "/" + session.group();
                connection
                        .send(request(server, guest, token, "DELETE", path, "", ""))
                        .mustBe(204);
            }
        }
        return Latencies.of(times, System.nanoTime() - wall);
    }

    private static byte[] request(
            Server server, BenchmarkGuest guest, String token, String method, String path, String query, String body)
            throws GeneralSecurityException {
        return (method + " " + path + query + " HTTP/1.1\r\nHost: "
                        + server.url().substring("http://".length()) + "\r\n"
                        + guest.login(method, server.url() + path, token)
                        + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
