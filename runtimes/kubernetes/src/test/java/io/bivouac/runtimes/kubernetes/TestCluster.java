package io.bivouac.runtimes.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real Kubernetes cluster of one node, started once for this JVM by {@code scripts/cluster}. A shell holds it and
 * watches the pipe from this JVM: however this JVM ends, the cluster ends and nothing of it stays.
 */
public final class TestCluster {
    /** What runs everything, and does not skip. */
    private static final String ASKED_FOR = "BIVOUAC_CLUSTER";

    private static final int LONGEST_STOP_SECONDS = 60;

    private static TestCluster cluster;
    private static String whyNot = "";

    private final Path folder;
    private final Path programs;
    private final String network;

    private TestCluster(Path folder, Path programs, String number) {
        this.folder = folder;
        this.programs = programs;
        this.network = "10.99." + number;
    }

    /** Skips the test where there is no cluster and none can be started. */
    public static synchronized TestCluster get() {
        if (cluster == null && whyNot.isEmpty()) {
            start();
        }
        if (cluster != null) {
            return cluster;
        }
        var why = "Kubernetes tests are skipped: " + whyNot;
        if (System.getenv(ASKED_FOR) != null) {
            return fail(why);
        }
        System.out.println(why);
        return abort(why);
    }

    /** kubectl's configuration, with all rights. */
    public Path configuration() {
        return folder.resolve("keys/admin.conf");
    }

    /** This machine, as Pods reach it. */
    public String hostAddress() {
        return network + ".254";
    }

    /** The API server's number in that network. */
    public String apiServer() {
        return network + ".1";
    }

    /** What kubectl prints; it must succeed. */
    public String kubectl(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(programs.resolve("kubectl").toString(), "--kubeconfig"));
        command.add(configuration().toString());
        command.addAll(List.of(words));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }

    private static void start() {
        if (!"root".equals(System.getProperty("user.name"))) {
            whyNot = "only root can start a cluster";
            return;
        }
        var agent = agent();
        if (!Files.isExecutable(agent)) {
            whyNot = "the agent has not been built";
            return;
        }
        var programs = programs();
        if (programs.isEmpty()) {
            whyNot =
                    "the cluster's programs are not built here; ./gradlew cluster-test builds them once and keeps them";
            return;
        }
        if (!succeeds(script("packages"))) {
            whyNot = "packages that a cluster needs cannot be installed; scripts/cluster/packages names them";
            return;
        }
        try {
            var folder = Files.createTempDirectory("bivouac-cluster-").resolve("cluster");
            if (!succeeds(script("images"), folder + ".images", agent.toString())) {
                whyNot = "the images of the tests could not be made";
                return;
            }
            hold(folder, Path.of(programs));
        } catch (IOException e) {
            whyNot = "the cluster did not start: " + e;
        }
    }

    private static void hold(Path folder, Path programs) throws IOException {
        var shell = new ProcessBuilder(List.of(script("hold"), folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(shell, folder)));
        // Not closed: the shell is told by that pipe that we are gone.
        var told = new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if ("ready".equals(told)) {
            cluster = new TestCluster(
                    folder, programs, Files.readString(folder.resolve("number")).strip());
        } else {
            whyNot = "the cluster did not start: " + told;
        }
    }

    private static void end(Process shell, Path folder) {
        try {
            shell.getOutputStream().close();
            shell.waitFor(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
            Files.deleteIfExists(folder.getParent());
        } catch (IOException e) {
            shell.destroy();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where they are; empty when they have not been built. */
    private static String programs() {
        try {
            var looking = new ProcessBuilder(script("build"), "--if-there").start();
            return new String(looking.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String script(String name) {
        return root().resolve("scripts/cluster").resolve(name).toString();
    }

    private static Path agent() {
        return Path.of(System.getProperty(
                "bivouac.agent.binary",
                root().resolve("agent/target/x86_64-unknown-linux-gnu/release/bivouac-agent")
                        .toString()));
    }

    private static Path root() {
        var folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("scripts/cluster"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
