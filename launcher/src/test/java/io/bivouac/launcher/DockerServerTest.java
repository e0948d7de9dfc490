package io.bivouac.launcher;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.bivouac.runtimes.docker.TestEngine;
import io.bivouac.runtimes.docker.TestImages;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole server with a real Docker engine: agents in containers register at the relay. */
class DockerServerTest {
    private static final String SANDBOXES = "/api/v1/sandboxes/";

    /** Says hello on its port, by a program that every busybox has. */
    private static final String TEMPLATES = """
        templates:
          - name: default
            roots: {docker: "%s"}
            ports: [8000]
            startCommand: [sh, -c, "mkdir -p /tmp/www; echo hello > /tmp/www/index.html; \
        exec httpd -f -p 127.0.0.1:8000 -h /tmp/www"]
        """;

    /** An address of this machine that stands for one outside. */
    private static final String OUTSIDE = "127.0.0.2";

    @TempDir
    private static Path folder;

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static String engine;
    private static Map<String, String> settings;
    private static ServerProcess server;
    private static Api api;

    @BeforeAll
    static void open() throws Exception {
        var docker = TestEngine.settings(folder);
        engine = docker.host();
        TestImages.make(docker, TestImages.FIRST, "first");
        // PostgreSQL has an account of its own.
        Files.setPosixFilePermissions(folder, fromString("rwx--x--x"));
        var templates = Files.writeString(folder.resolve("templates.yml"), TEMPLATES.formatted(TestImages.FIRST));
        settings = Map.of(
                "BIVOUAC_RUNTIME",
                "docker",
                "BIVOUAC_DOCKER_HOST",
                engine,
                "BIVOUAC_TEMPLATES",
                templates.toString(),
                "BIVOUAC_EGRESS_ALLOW_PRIVATE",
                OUTSIDE,
                "BIVOUAC_LIFECYCLE_RECONCILE_EVERY",
                "2s");
        start();
    }

    private static void start() throws Exception {
        server = ServerProcess.start(folder.resolve("data"), settings).awaitReady();
        var key = Files.readString(folder.resolve("data/api-key")).strip();
        api = new Api(CLIENT, server.valueOf("Console"), key);
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
        var created = Api.expect(201, api.create());
        var id = Api.text(created, "id");
        var address = addressOf(Api.json(created));
        assertThat(page(address)).isEqualTo("hello\n");
        assertThat(output(id, "id -u; echo mine > /workspace/note")).isEqualTo("1000\n");

        Api.expect(200, api.stop(id));
        assertThat(Api.json(api.send("GET", SANDBOXES + id, ""))).doesNotContainKey("ports");
        assertThat(containers(id)).containsExactly("exited");

        var again = Api.expect(200, api.send("POST", SANDBOXES + id + "/start", ""));
        assertThat(addressOf(Api.json(again))).isEqualTo(address);
        assertThat(output(id, "cat /workspace/note")).isEqualTo("mine\n");
        ServerProcess.await("the page is served again", () -> isServed(address));

        Api.expect(204, api.delete(id));
        assertThat(containers(id)).isEmpty();
        assertThat(volumes(id)).isEmpty();
    }

    @Test
    void whatRunsGoesOnWhenTheServerIsKilled() throws Exception {
        var counting = CountingCommand.start(api);
        var before = Api.json(api.send("GET", SANDBOXES + counting.sandbox(), ""));
        server.kill();
        server.close();
        start();
        counting.goesOn(api);
        var after = Api.json(api.send("GET", SANDBOXES + counting.sandbox(), ""));
        assertThat(after).containsEntry("state", "running");
        assertThat(addressOf(after)).isEqualTo(addressOf(before));
        assertThat(page(addressOf(after))).isEqualTo("hello\n");
    }

    @Test
    void aContainerThatIsGoneIsSeen() throws Exception {
        var id = api.created();
        docker("rm", "-f", "bivouac-" + id);
        ServerProcess.await("its state is error", () -> "error".equals(stateOf(id)));
    }

    @Test
    void oneOfTwoGetsAKeptWorkspace() throws Exception {
        var first = api.created();
        output(first, "echo mine > /workspace/note");
        Api.expect(204, api.send("DELETE", SANDBOXES + first + "?keepWorkspace=true", ""));
        var body = "{\"template\": \"default\", \"workspace\": \"%s\"}".formatted(first);
        var attempts = List.of(creating(body), creating(body));
        var answers = List.of(attempts.get(0).get(), attempts.get(1).get());
        assertThat(answers.stream().filter(status -> status == 201))
                .as(answers.toString())
                .hasSize(1);
        for (var id : api.sandboxes().keySet()) {
            if ("running".equals(stateOf(id))) {
                assertThat(output(id, "cat /workspace/note")).isEqualTo("mine\n");
            }
        }
    }

    @Test
    void portsThatOpenAreTold() throws Exception {
        var id = api.created();
        awaitEvent(id, "sandbox.port-opened");
        assertThat(api.send("GET", SANDBOXES + id + "/ports", "").body()).contains("\"port\":8000");
    }

    private void awaitEvent(String id, String type) throws InterruptedException {
        ServerProcess.await(type, () -> {
            try {
                return api.send("GET", SANDBOXES + id + "/events?limit=500", "")
                        .body()
                        .contains("\"" + type + "\"");
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    @Test
    void filesAreTheSandboxsOwn() throws Exception {
        var id = api.created();
        var contents = SANDBOXES + id + "/files/content?path=/workspace/note";
        Api.expect(201, api.send("PUT", contents, "old"));
        assertThat(output(id, "stat -c %u /workspace/note; echo more >> /workspace/note"))
                .isEqualTo("1000\n");
        assertThat(Api.expect(200, api.send("GET", contents, "")).body()).isEqualTo("oldmore\n");
        Api.expect(201, api.send("PUT", contents + "-of-root&user=root", "root's"));
        assertThat(output(id, "stat -c %u /workspace/note-of-root")).isEqualTo("0\n");
        // What a link leads to stays.
        output(
                id,
                "mkdir /tmp/outside /workspace/folder; echo kept > /tmp/outside/kept;"
                        + " ln -s /tmp/outside /workspace/folder/link");
        Api.expect(204, api.send("DELETE", SANDBOXES + id + "/files?path=/workspace/folder&recursive=true", ""));
        assertThat(output(id, "cat /tmp/outside/kept; ls /workspace")).isEqualTo("kept\nnote\nnote-of-root\n");
    }

    private CompletableFuture<Integer> creating(String body) {
        var answer = new CompletableFuture<Integer>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(api.send("POST", "/api/v1/sandboxes", body).statusCode());
            } catch (IOException | InterruptedException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    @Test
    void anAllowedHostIsReachedAndNoOther() throws Exception {
        var outside = HttpServer.create(new InetSocketAddress(OUTSIDE, 0), 8);
        outside.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (var body = exchange.getResponseBody()) {
                body.write("from outside".getBytes(StandardCharsets.UTF_8));
            }
        });
        outside.start();
        try {
            var host = OUTSIDE + ":" + outside.getAddress().getPort();
            var asked = "{\"template\": \"default\", \"egress\": {\"allow\": [\"%s\"]}}".formatted(host);
            var id = Api.text(Api.expect(201, api.send("POST", "/api/v1/sandboxes", asked)), "id");
            assertThat(output(id, "wget -qO- http://" + host + "/")).isEqualTo("from outside");
            Api.expect(200, api.send("PUT", SANDBOXES + id + "/egress", "{\"allow\": []}"));
            assertThat(output(id, "wget -qO- http://" + host + "/ 2>&1 || true"))
                    .contains("403");
        } finally {
            outside.stop(0);
        }
    }

    @Test
    void aLimitThatTheEngineCannotHoldIsRefused() throws Exception {
        var asked = "{\"template\": \"default\", \"resources\": {\"disk\": \"1g\"}}";
        var refused = Api.expect(422, api.send("POST", "/api/v1/sandboxes", asked));
        assertThat(Api.json(refused)).containsEntry("name", "UNSUPPORTED_BY_RUNTIME");
        assertThat(Api.text(refused, "detail")).contains("disk");
        assertThat(api.sandboxes()).isEmpty();
    }

    private String output(String id, String command) throws Exception {
        var run = Api.expect(200, api.run(id, command, ""));
        assertThat(Api.json(run)).as(run.body()).containsEntry("exitCode", 0);
        return Api.text(run, "stdout");
    }

    private String stateOf(String id) {
        try {
            return Api.text(api.send("GET", SANDBOXES + id, ""), "state");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String addressOf(Map<String, Object> sandbox) {
        var port = (Map<?, ?>) ((List<?>) sandbox.get("ports")).getFirst();
        assertThat(port.get("port")).isEqualTo(8000);
        return String.valueOf(port.get("address"));
    }

    private String page(String address) throws InterruptedException {
        var seen = new String[1];
        ServerProcess.await("the program in the sandbox answers", () -> {
            try {
                var request = HttpRequest.newBuilder(URI.create("http://" + address + "/"))
                        .build();
                seen[0] = CLIENT.send(request, BodyHandlers.ofString()).body();
                return true;
            } catch (IOException notYet) {
                return false;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return seen[0];
    }

    private boolean isServed(String address) {
        try {
            return page(address).equals("hello\n");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> containers(String id) throws Exception {
        return docker("ps", "-a", "--filter", "name=bivouac-" + id, "--format", "{{.State}}");
    }

    private List<String> volumes(String id) throws Exception {
        return docker("volume", "ls", "-q", "--filter", "label=bivouac.sandbox=" + id);
    }

    private List<String> docker(String... words) throws Exception {
        var command = new java.util.ArrayList<>(List.of("docker", "-H", engine));
        command.addAll(List.of(words));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }
}
