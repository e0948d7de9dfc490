package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Guests: how much a login with a proof costs, and how long a session takes that a Pod's ACL grants. */
final class IdentityGroup implements Group {
    private static final String POD = "https://pod.example/alice/";
    private static final int PARALLEL = 8;
    private static final int WARM_UP = 2_000;
    private static final int LOGINS = 4_000;
    private static final int OPENED = 100;
    private static final int PODS = 40;
    private static final double LONGEST_MILLIS = 60;
    private static final double LONGEST_MILLIS_WITH_FETCHES = 150;

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
                var pods = new BenchmarkPods(guest.webId(), scale.of(PODS));
                var folder = new WorkFolder("identity");
                var server = Server.start(
                        folder.path().resolve("data"), pods.settings(POD + "=" + folder(folder, guest.webId())))) {
            logins(table, server, guest, scale);
            sessions(table, server, guest, pods, scale.of(OPENED));
        }
        table.note(
                "A login is GET " + GuestClient.SESSIONS + "?limit=1 with a fresh proof: HTTP, both checks, the proof"
                        + " written down in PostgreSQL, and the listing. A core's second is of the server's own process, all of"
                        + " that included. A session is opened in a sandbox that runs; where its Pod is read over HTTP, it is"
                        + " the first one of that Pod, so no ACL is known.");
        return table;
    }

    private static String folder(WorkFolder folder, String webId) throws IOException {
        var pod = folder.path().resolve("pod");
        Files.createDirectories(pod.resolve(".terminal"));
        Files.writeString(pod.resolve(".terminal/.acl"), BenchmarkPods.rule(webId));
        Files.writeString(pod.resolve(".acl"), BenchmarkPods.rule(webId));
        return pod.toString();
    }

    private static void logins(Table table, Server server, BenchmarkGuest guest, Scale scale) throws Exception {
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
    }

    /** Proofs are signed before the clock starts: a client's work is not the server's. */
    private static Latencies logins(Server server, BenchmarkGuest guest, int count) throws Exception {
        Queue<byte[]> requests = new ConcurrentLinkedQueue<>();
        var clients = new ArrayList<GuestClient>();
        try {
            for (int i = 0; i < PARALLEL; i++) {
                clients.add(new GuestClient(server, guest));
            }
            for (int i = 0; i < count; i++) {
                requests.add(clients.getFirst().request("GET", GuestClient.SESSIONS, "?limit=1", ""));
            }
            return Load.run(
                    count,
                    clients.stream()
                            .<Load.Client>map(client ->
                                    () -> client.send(requests.remove()).mustBe(200))
                            .toList());
        } finally {
            for (var client : clients) {
                client.close();
            }
        }
    }

    private static void sessions(Table table, Server server, BenchmarkGuest guest, BenchmarkPods pods, int count)
            throws Exception {
        try (var owner = server.connect();
                var client = new GuestClient(server, guest)) {
            var sessions = new GuestSessions(client, owner);
            add(table, "session opened, ACL in a folder", sessions.inAFolder(POD, count), LONGEST_MILLIS);
            add(table, "session opened, ACL fetched", sessions.overHttp(pods), LONGEST_MILLIS_WITH_FETCHES);
        }
    }

    private static void add(Table table, String what, Latencies opened, double longest) {
        var goal = new Goal("p50 ≤ " + Math.round(longest) + " ms", opened.p50() <= longest);
        table.add(what, opened.figure(), Figure.NONE, "", goal);
    }
}
