import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes the distribution's AOT caches from a real run: starts the server, uses it, stops it, and turns what the two JVMs
 * (server and Kafka) recorded into caches. A distribution that cannot be started fails its build here.
 *
 * <p>Arguments: DISTRIBUTION [JDK]. The caches fit that JDK alone; without it, they fit the one that runs this.
 */
class TrainAot {
    private static final int START_SECONDS = 120;
    /** The recordings are written at the end, which takes its time on a busy machine. */
    private static final int STOP_SECONDS = 60;
    private static final String KEY = "bvk_training0000000000000000000000000000";

    public static void main(String[] arguments) throws Exception {
        var home = Path.of(arguments[0]).toAbsolutePath();
        var java = Path.of(arguments.length > 1 ? arguments[1] : System.getProperty("java.home")).toAbsolutePath();
        var work = Files.createTempDirectory("bivouac-train");
        int status = 0;
        try {
            long started = System.nanoTime();
            Files.deleteIfExists(home.resolve("lib/server.aot"));
            Files.deleteIfExists(home.resolve("lib/kafka.aot"));
            SealedJars.unseal(home.resolve("lib"));
            record(home, java, work);
            create(home, java, work, "server", serverOptions());
            create(home, java, work, "kafka", kafkaOptions());
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

    private static void record(Path home, Path java, Path work) throws IOException, InterruptedException {
        var log = work.resolve("output").toFile();
        var builder = new ProcessBuilder(home.resolve("bin/bivouac-server").toString())
                .redirectErrorStream(true)
                .redirectOutput(log);
        var environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("BIVOUAC_"));
        environment.put("JAVA_HOME", java.toString());
        environment.put("BIVOUAC_DATA_DIR", work.resolve("data").toString());
        environment.put("BIVOUAC_PORT", "0");
        environment.put("BIVOUAC_API_KEY", KEY);
        environment.put("BIVOUAC_WEBHOOK_ALLOW", "127.0.0.0/8");
        environment.put("BIVOUAC_JAVA_OPTIONS", recording(work, "server"));
        environment.put("BIVOUAC_KAFKA_JAVA_OPTIONS", recording(work, "kafka"));
        var server = builder.start();
        try {
            TrainingRun.use(awaitAddress(server, log.toPath()), KEY);
        } finally {
            server.destroy();
            if (!server.waitFor(2 * STOP_SECONDS, TimeUnit.SECONDS)) {
                server.destroyForcibly();
                throw new IllegalStateException("the server did not stop");
            }
        }
    }

    /** More memory than a server has: the JVM needs it to write the recording. */
    private static String recording(Path work, String name) {
        return "-Dbivouac.shutdown.seconds=" + STOP_SECONDS + " -XX:MaxMetaspaceSize=512m -Xmx512m -XX:AOTMode=record -XX:AOTConfiguration="
                + work.resolve(name + ".aotconf");
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

    private static void create(Path home, Path java, Path work, String name, List<String> options)
            throws IOException, InterruptedException {
        var configuration = work.resolve(name + ".aotconf");
        if (!Files.exists(configuration)) {
            throw new IllegalStateException("the run left no recording for " + name);
        }
        var command = new ArrayList<String>();
        command.add(java.resolve("bin/java").toString());
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
            throw new IllegalStateException("the cache for %s could not be made: %s%nThe server said: %s"
                    .formatted(name, said.strip(), Files.readString(work.resolve("output")).strip()));
        }
    }

    /** A cache is only taken by a JVM with the same collector and the same options for modules. */
    private static List<String> serverOptions() {
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
