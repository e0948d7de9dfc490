package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.regex.Pattern;

/** How long somebody with a WebID waits for a session, from the request to its answer. */
final class GuestSessions {
    private static final Pattern SESSION = Pattern.compile("sess_[0-9a-z]{26}");

    private final GuestClient client;
    private final Connection owner;

    GuestSessions(GuestClient client, Connection owner) {
        this.client = client;
        this.owner = owner;
    }

    /** One after the other in one sandbox of this Pod, whose ACL is in a folder: nothing is fetched. */
    Latencies inAFolder(String pod, int count) throws Exception {
        var sandbox = sandbox(pod);
        var times = new ArrayList<Long>();
        for (int i = 0; i < count; i++) {
            times.add(open(pod, sandbox));
        }
        return of(times);
    }

    /** One in a sandbox of each of them: each Pod is asked for its ACLs for the first time. */
    Latencies overHttp(BenchmarkPods pods) throws Exception {
        var times = new ArrayList<Long>();
        for (int i = 0; i < pods.count(); i++) {
            times.add(open(pods.pod(i), sandbox(pods.pod(i))));
        }
        return of(times);
    }

    private static Latencies of(ArrayList<Long> times) {
        return Latencies.of(times, times.stream().mapToLong(Long::longValue).sum());
    }

    private String sandbox(String pod) throws IOException {
        var wanted = "{\"template\":\"default\",\"labels\":{\"pod\":\"" + pod + "\"}}";
        return Sandboxes.idIn(owner.post(Sandboxes.PATH, wanted).mustBe(201).body());
    }

    /** The proof is signed before the clock starts. */
    private long open(String pod, String sandbox) throws Exception {
        var body = "{\"sandboxId\":\"" + sandbox + "\",\"pod\":\"" + pod
                + "\",\"command\":\"cat\",\"workdir\":\"/workspace\"}";
        var request = client.request("POST", GuestClient.SESSIONS, "", body);
        long begun = System.nanoTime();
        var made = client.send(request).mustBe(201).body();
        long taken = System.nanoTime() - begun;
        var session = SESSION.matcher(made);
        if (!session.find()) {
            throw new IllegalStateException("no session in " + made);
        }
        client.send(client.request("DELETE", GuestClient.SESSIONS + "/" + session.group(), "", ""))
                .mustBe(204);
        return taken;
    }
}
