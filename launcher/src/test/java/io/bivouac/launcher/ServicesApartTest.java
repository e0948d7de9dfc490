package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each service a process of its own, on one PostgreSQL and one Kafka. */
class ServicesApartTest {
    private static final String KEY = "bvk_servicesapart00000000000000000000000";
    private static final String TOKEN_KEY = "bm90LWEtc2VjcmV0LWp1c3QtYS10ZXN0LWtleS0wMDE=";
    private static final int TERMINALS = 4;

    /** Counts on and on, until something is typed; then it says what comes next and ends. */
    private static final String COUNTER =
            "exec bash -c 'i=0; while ! read -t 0.01 -r _; do echo n$i; i=$((i+1)); done; echo end$i'";

    private static final Pattern NUMBER = Pattern.compile("\\bn(\\d+)\r\n");

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> received = new CopyOnWriteArrayList<>();

    /** Five servers: too much for every run of the suite. */
    @Test
    @Tag("soak")
    void functionsRelaysAndWebhooksWorkApartAndADrainedRelayLosesNothing() throws Exception {
        var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        try (var stack = ExternalStack.start(folder);
                var one = start("relay", "one", stack);
                var functions = start("functions", "functions", stack);
                var webhooks = start("webhooks", "webhooks", stack)) {
            for (var server : List.of(one, functions, webhooks)) {
                var api = api(server);
                ServerProcess.await("a service is ready", api::isReady);
                for (var page : List.of("/health", "/metrics")) {
                    Api.expect(200, api.send("GET", page, ""));
                }
            }
            var url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
            Api.expect(201, api(functions).send("POST", "/api/v1/webhooks/endpoints", "{\"url\":\"" + url + "\"}"));
            var sandbox = api(functions).created();
            assertThat(Api.text(Api.expect(200, api(functions).run(sandbox, "echo far", "")), "stdout"))
                    .isEqualTo("far\n");
            assertThat(Api.text(Api.expect(200, api(one).run(sandbox, "echo near", "")), "stdout"))
                    .isEqualTo("near\n");
            ServerProcess.await(
                    "the webhook heard of it",
                    () -> received.stream()
                            .anyMatch(event -> event.contains("\"sandbox.running\"") && event.contains(sandbox)));

            try (var two = start("relay", "two", stack)) {
                drain(sandbox, one, two);
            }
            try (var again = start("relay", "one", stack)) {
                ServerProcess.await("the agent is back", () -> runs(again, sandbox));
                Api.expect(204, api(functions).delete(sandbox));
                stop(again);
            }
            stop(functions);
            stop(webhooks);
        } finally {
            receiver.stop(0);
        }
    }

    /** Terminals whose output never rests, while the relay of their clients stops. */
    private void drain(String sandbox, ServerProcess from, ServerProcess to) throws Exception {
        var paths = new ArrayList<String>();
        var clients = new ArrayList<TerminalClient>();
        for (int i = 0; i < TERMINALS; i++) {
            var made = Api.json(Api.expect(
                    201,
                    api(from)
                            .send(
                                    "POST",
                                    "/api/v1/sandboxes/" + sandbox + "/pty",
                                    "{\"command\":\"" + COUNTER + "\"}")));
            var path = "/api/v1/sandboxes/" + sandbox + "/pty/" + made.get("id");
            paths.add(path);
            clients.add(attach(from, path, "&from=0"));
        }
        for (var attached : clients) {
            attached.await(seen -> seen.contains("n20\r\n"));
        }

        from.terminate();
        for (var attached : clients) {
            attached.awaitClose();
            assertThat(attached.closeStatus()).isEqualTo(1001);
        }
        from.awaitExit();
        for (int i = 0; i < TERMINALS; i++) {
            var before = clients.get(i);
            var later = attach(to, paths.get(i), "&from=" + before.next());
            later.await(seen -> NUMBER.matcher(seen).results().count() > 20);
            later.type(1, "\n");
            later.awaitClose();
            var all = before.seen() + later.seen();
            var numbers = NUMBER.matcher(all)
                    .results()
                    .map(found -> Integer.parseInt(found.group(1)))
                    .toList();
            assertThat(numbers)
                    .isEqualTo(IntStream.range(0, numbers.size()).boxed().toList());
            assertThat(all).contains("end" + numbers.size());
        }
    }

    private ServerProcess start(String service, String name, ExternalStack stack)
            throws IOException, InterruptedException {
        Map<String, String> settings = new HashMap<>(stack.settings());
        settings.put("BIVOUAC_API_KEY", KEY);
        settings.put("BIVOUAC_TOKEN_KEY", TOKEN_KEY);
        settings.put("BIVOUAC_ENCRYPTION_KEY", TOKEN_KEY);
        settings.put("BIVOUAC_AGENT_SOCKET_FOLDER", folder.resolve("agents").toString());
        settings.put("BIVOUAC_WEBHOOK_ALLOW", "127.0.0.0/8");
        // One that stops for good leaves no mounts.
        settings.put("BIVOUAC_BUBBLEWRAP_DISK", "folder");
        settings.put("BIVOUAC_HOST_NAME", name);
        return ServerProcess.start(folder.resolve(name), settings, "--services=" + service)
                .awaitReady();
    }

    private void stop(ServerProcess server) throws InterruptedException {
        server.terminate();
        server.awaitExit();
    }

    private Api api(ServerProcess server) throws IOException {
        return new Api(client, server.valueOf("Console"), KEY);
    }

    private boolean runs(ServerProcess server, String sandbox) {
        try {
            return api(server).run(sandbox, "true", "").statusCode() == 200;
        } catch (IOException | InterruptedException notYet) {
            return false;
        }
    }

    private TerminalClient attach(ServerProcess server, String path, String more)
            throws IOException, InterruptedException {
        var api = api(server);
        ServerProcess.await("the agent is there", () -> {
            try {
                return api.send("POST", path + "/resize", "{\"cols\":80,\"rows\":24}")
                                .statusCode()
                        == 200;
            } catch (IOException | InterruptedException notYet) {
                return false;
            }
        });
        var ticket = Api.json(Api.expect(200, api.send("POST", path + "/ticket", "")));
        return TerminalClient.open(
                "ws" + api.url().substring(4) + path + "/ws?source=me" + more, TerminalClient.protocols(ticket));
    }

    @Test
    void aServiceWithoutARelayNamesWhatItMisses() throws Exception {
        try (var server = ServerProcess.start(folder.resolve("alone"), Map.of(), "--services=functions,webhooks")) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output())
                    .contains("--services=functions,webhooks")
                    .contains("BIVOUAC_DATABASE_URL, BIVOUAC_KAFKA_BOOTSTRAP, BIVOUAC_TOKEN_KEY");
        }
        assertThat(folder.resolve("alone")).doesNotExist();
    }
}
