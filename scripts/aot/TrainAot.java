import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Makes the distribution's AOT caches from a real run: starts the server, uses it, stops it, and turns what the two JVMs
 * (server and Kafka) recorded into caches. A distribution that cannot be started fails its build here.
 */
class TrainAot {
    private static final int START_SECONDS = 120;
    private static final int ROUNDS = 30;
    /** So many that what each command passes counts as hot, and is compiled early in later runs. */
    private static final int COMMANDS_A_ROUND = 40;
    private static final String KEY = "bvk_training0000000000000000000000000000";

    public static void main(String[] arguments) throws Exception {
        var home = Path.of(arguments[0]).toAbsolutePath();
        var work = Files.createTempDirectory("bivouac-train");
        int status = 0;
        try {
            long started = System.nanoTime();
            Files.deleteIfExists(home.resolve("lib/server.aot"));
            Files.deleteIfExists(home.resolve("lib/kafka.aot"));
            SealedJars.unseal(home.resolve("lib"));
            record(home, work);
            create(home, work, "server", serverOptions(home));
            create(home, work, "kafka", kafkaOptions());
            System.out.printf("AOT caches made in %.0f s%n", (System.nanoTime() - started) / 1e9);
        } catch (IllegalStateException failed) {
            System.err.println("No AOT caches (BIVOUAC_SKIP_AOT=1 builds without them): " + failed.getMessage());
            status = 1;
        } finally {
            clean(work);
        }
        System.exit(status);
    }

    /** What cannot be removed now is no reason to lose the caches. */
    private static void clean(Path work) {
        try {
            delete(work);
        } catch (IOException left) {
            System.out.println("could not remove " + work + ": " + left.getMessage());
        }
    }

    private static void record(Path home, Path work) throws IOException, InterruptedException {
        var log = work.resolve("output").toFile();
        var builder = new ProcessBuilder(home.resolve("bin/bivouac-server").toString())
                .redirectErrorStream(true)
                .redirectOutput(log);
        var environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("BIVOUAC_"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("BIVOUAC_DATA_DIR", work.resolve("data").toString());
        environment.put("BIVOUAC_PORT", "0");
        environment.put("BIVOUAC_API_KEY", KEY);
        environment.put("BIVOUAC_JAVA_OPTIONS", recording(work, "server"));
        environment.put("BIVOUAC_KAFKA_JAVA_OPTIONS", recording(work, "kafka"));
        var server = builder.start();
        try {
            use(awaitAddress(server, log.toPath()));
        } finally {
            server.destroy();
            if (!server.waitFor(60, TimeUnit.SECONDS)) {
                server.destroyForcibly();
                throw new IllegalStateException("the server did not stop");
            }
        }
    }

    private static String recording(Path work, String name) {
        return "-XX:AOTMode=record -XX:AOTConfiguration=" + work.resolve(name + ".aotconf");
    }

    private static String awaitAddress(Process server, Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (server.isAlive() && System.nanoTime() < deadline) {
            for (String line : Files.readAllLines(log)) {
                if (line.startsWith("  Console")) {
                    return line.substring(line.indexOf("http")).strip();
                }
            }
            Thread.sleep(100);
        }
        throw new IllegalStateException("the server did not start: " + Files.readString(log).strip());
    }

    private static void use(String address) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            for (int round = 0; round < ROUNDS; round++) {
                for (String path : List.of("/health", "/ready", "/metrics", "/openapi.yml", "/api/v1/sandboxes",
                        "/api/v1/templates", "/api/v1/stats", "/api/v1/keys", "/api/v1/sandboxes/none")) {
                    client.send(request(address + path).GET().build(), BodyHandlers.discarding());
                }
                useSandbox(client, address + "/api/v1/sandboxes");
            }
        }
    }

    private static void useSandbox(HttpClient client, String sandboxes) throws IOException, InterruptedException {
        var made = client.send(post(sandboxes, "{\"template\":\"default\",\"timeoutSeconds\":60}"), BodyHandlers.ofString());
        var id = Pattern.compile("sbx-[0-9a-z]{26}").matcher(made.body());
        if (!id.find()) {
            // This machine may have no runtime; the rest is worth a cache all the same.
            System.out.println("AOT caches without sandboxes: " + made.body());
            return;
        }
        var sandbox = sandboxes + "/" + id.group();
        for (var body : List.of("{\"command\":\"echo hello\"}", "{\"command\":\"echo hello\",\"stream\":true}")) {
            client.send(post(sandbox + "/process/run", body), BodyHandlers.discarding());
        }
        for (int i = 0; i < COMMANDS_A_ROUND; i++) {
            client.send(post(sandbox + "/exec", "{\"command\":[\"true\"]}"), BodyHandlers.discarding());
        }
        client.send(request(sandbox + "/stats").GET().build(), BodyHandlers.discarding());
        client.send(request(sandbox).DELETE().build(), BodyHandlers.discarding());
    }

    private static HttpRequest post(String url, String body) {
        return request(url).POST(HttpRequest.BodyPublishers.ofString(body)).build();
    }

    private static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + KEY)
                .header("Content-Type", "application/json");
    }

    private static void create(Path home, Path work, String name, List<String> options)
            throws IOException, InterruptedException {
        var configuration = work.resolve(name + ".aotconf");
        if (!Files.exists(configuration)) {
            throw new IllegalStateException("the run left no recording for " + name);
        }
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-XX:AOTMode=create",
                "-XX:AOTConfiguration=" + configuration,
                "-XX:AOTCache=" + home.resolve("lib/" + name + ".aot"),
                "-cp",
                Files.readString(home.resolve("lib/classpath")).strip().replace("@LIB@", home.resolve("lib").toString())));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the cache for " + name + " could not be made: " + said.strip());
        }
    }

    /** A cache is only taken by a JVM with the same collector and the same options for modules. */
    private static List<String> serverOptions(Path home) {
        return List.of("-XX:+UseSerialGC", "-Xmx256m", "--enable-native-access=ALL-UNNAMED");
    }

    private static List<String> kafkaOptions() {
        return List.of("-XX:+UseSerialGC", "-Xmx128m", "--enable-native-access=ALL-UNNAMED");
    }

    private static void delete(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
