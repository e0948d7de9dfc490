package io.bivouac.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.webhooks.fixture.Libraries;
import io.bivouac.webhooks.fixture.Messenger;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in docs/webhooks.md, as they stand there, with the published libraries. */
class DocumentedReceiversTest {
    @TempDir
    Path folder;

    private final Messenger messenger = Messenger.shared();

    @Test
    void theNodeProgramVerifies() throws Exception {
        assumeTrue(Libraries.has("node"), "node is not installed");
        var file = Libraries.node().resolve("hooks.mjs");
        Files.writeString(file, example("js"));
        runs(List.of("node", file.toString()), Map.of());
    }

    @Test
    void thePythonProgramVerifies() throws Exception {
        assumeTrue(Libraries.has("python3"), "python3 is not installed");
        var file = folder.resolve("hooks.py");
        Files.writeString(file, example("python"));
        runs(
                List.of("python3", file.toString()),
                Map.of("PYTHONPATH", Libraries.python().toString()));
    }

    @Test
    void theJavaProgramVerifies() throws Exception {
        var file = folder.resolve("Hooks.java");
        Files.writeString(file, example("java"));
        runs(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        file.toString()),
                Map.of());
    }

    private void runs(List<String> command, Map<String, String> environment) throws Exception {
        int port = freePort();
        var api = messenger.newProject();
        var made = api.endpoint("http://127.0.0.1:" + port + "/", "\"retry\":\"short\"");
        var output = folder.resolve("output");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("WEBHOOK_SECRET", made.text("/secret"));
        var process = builder.start();
        try {
            Eventually.that(
                    "a program that listens, or said why not: " + Files.readString(output), () -> listens(port));
            assertThat(forged(port)).as("the answer to a forged request").isEqualTo(400);
            var sandbox = messenger.sandbox(api);
            Eventually.that(
                    "two events that the library found genuine",
                    () -> Files.readAllLines(output).stream()
                                    .filter(line -> line.contains(sandbox.id().value()))
                                    .count()
                            >= 2);
            Eventually.that(
                    "two answers of 2xx",
                    () -> api.deliveries(made.text("/id"), "?state=delivered").size("/items") == 2);
        } finally {
            process.destroyForcibly().waitFor();
            api.delete("/api/v1/webhooks/endpoints/" + made.text("/id"));
        }
    }

    private static int forged(int port) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                    .header("webhook-id", "evt_forged")
                    .header("webhook-timestamp", Long.toString(System.currentTimeMillis() / 1000))
                    .header("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
                    .POST(BodyPublishers.ofString("{\"type\":\"sandbox.deleted\"}"));
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }

    private static String example(String language) throws IOException {
        var block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/webhooks.md")));
        assertThat(block.find()).as("a program in " + language).isTrue();
        return block.group(1);
    }

    private static boolean listens(int port) {
        try (var socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
