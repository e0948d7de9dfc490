package io.bivouac.launcher;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.runtimes.kubernetes.TestCluster;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The whole server with a real cluster: agents in Pods register at the relay by TCP and TLS. Of the long tests. */
@EnabledIfEnvironmentVariable(
        named = "BIVOUAC_CLUSTER",
        matches = ".+",
        disabledReason = "./gradlew cluster-test runs it")
class KubernetesServerTest {
    private static final String SANDBOXES = "/api/v1/sandboxes/";
    private static final String IMAGE = "localhost/bivouac-test:first";

    @TempDir
    private static Path folder;

    private static TestCluster cluster;
    private static ServerProcess server;
    private static Api api;

    @BeforeAll
    static void open() throws Exception {
        cluster = TestCluster.get();
        // PostgreSQL has an account of its own.
        Files.setPosixFilePermissions(folder, fromString("rwx--x--x"));
        server = ServerProcess.start(
                        folder.resolve("data"),
                        Map.of(
                                "BIVOUAC_RUNTIME",
                                "kubernetes",
                                "BIVOUAC_KUBERNETES_CONFIG",
                                cluster.configuration().toString(),
                                "BIVOUAC_KUBERNETES_IMAGE",
                                IMAGE,
                                "BIVOUAC_KUBERNETES_PULL",
                                "never",
                                "BIVOUAC_AGENT_HOST",
                                cluster.hostAddress(),
                                "BIVOUAC_AGENT_PORT",
                                Integer.toString(freePort()),
                                "BIVOUAC_AGENT_ADDRESS",
                                cluster.hostAddress(),
                                "BIVOUAC_WARM_SANDBOXES",
                                "0",
                                // Longer than the test: what is seen is not seen by a round.
                                "BIVOUAC_LIFECYCLE_RECONCILE_EVERY",
                                "10m"))
                .awaitReady();
        var key = Files.readString(folder.resolve("data/api-key")).strip();
        var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        api = new Api(client, server.valueOf("Console"), key);
    }

    @AfterEach
    void deleteAll() throws Exception {
        for (var id : api.sandboxes().keySet()) {
            Api.expect(204, api.delete(id));
        }
    }

    @AfterAll
    static void close() throws Exception {
        if (server != null) {
            server.terminate();
            server.awaitExit();
            server.close();
        }
    }

    @Test
    void aSandboxIsUsedStoppedStartedAndDeleted() throws Exception {
        var id = api.created();
        assertThat(output(id, "id -u; pwd")).isEqualTo("1000\n/workspace\n");
        var content = SANDBOXES + id + "/files/content?path=note";
        Api.expect(201, api.send("PUT", content, "mine"));
        assertThat(output(id, "cat /workspace/note")).isEqualTo("mine");
        assertThat(Api.expect(200, api.send("GET", content, "")).body()).isEqualTo("mine");

        Api.expect(200, api.stop(id));
        assertThat(pods(id)).isEmpty();
        Api.expect(200, api.send("POST", SANDBOXES + id + "/start", ""));
        assertThat(output(id, "echo again")).isEqualTo("again\n");

        Api.expect(204, api.delete(id));
        assertThat(pods(id)).isEmpty();
        assertThat(cluster.kubectl("get", "secrets", "-o", "name", "-l", "bivouac.sandbox=" + id))
                .isEmpty();
    }

    @Test
    void aSandboxReachesNeitherTheApiServerNorAnotherSandbox() throws Exception {
        var first = api.created();
        var second = api.created();
        output(first, "mkdir -p /tmp/www; echo secret > /tmp/www/index.html; httpd -p 8000 -h /tmp/www");
        var place = cluster.kubectl("get", "pod", first, "-o", "jsonpath={.status.podIP}") + " 8000";
        assertThat(output(first, connecting(place))).isEqualTo("yes\n");
        assertThat(output(second, connecting(place))).isEqualTo("no\n");
        assertThat(output(second, connecting(cluster.apiServer() + " 6443"))).isEqualTo("no\n");
    }

    @Test
    void aPodThatIsKilledIsSeenAtOnceWithTheReason() throws Exception {
        var id = api.created();
        cluster.kubectl("delete", "pod", id, "--grace-period=1");
        ServerProcess.await("its state is error", () -> "error".equals(field(id, "state")));
        assertThat(field(id, "stateReason")).contains("its instance ended");
    }

    @Test
    void theNetworkIsFoundToBeEnforced() throws Exception {
        api.created();
        ServerProcess.await("the network was tried", () -> checks().contains("enforced: a Pod without the policy"));
    }

    private static String connecting(String place) {
        return "nc -w 3 " + place + " < /dev/null && echo yes || echo no";
    }

    private static String checks() {
        try {
            return api.send("GET", "/api/v1/doctor", "").body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String output(String id, String command) throws Exception {
        var run = Api.expect(200, api.run(id, command, ""));
        assertThat(Api.json(run)).as(run.body()).containsEntry("exitCode", 0);
        return Api.text(run, "stdout");
    }

    private static String field(String id, String name) {
        try {
            return Api.text(api.send("GET", SANDBOXES + id, ""), name);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pods(String id) throws Exception {
        return cluster.kubectl("get", "pods", "-o", "name", "-l", "bivouac.sandbox=" + id);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
