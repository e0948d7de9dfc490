package io.bivouac.runtimes.docker;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A real Docker engine: the one that runs here, or else one of our own, started once for this JVM in a folder of
 * its own. A shell holds it and watches the pipe from this JVM: however this JVM ends, the engine ends, its mounts
 * are undone and the folder is gone.
 */
public final class TestEngine {
    private static final String SUPERVISE = """
            dockerd --data-root "$1/data" --exec-root "$1/exec" --pidfile "$1/pid" -H "unix://$1/socket" \
                --bridge=none --iptables=false --ip-forward=false > "$1/log" 2>&1 &
            engine=$!
            read -r forever
            kill "$engine"
            wait "$engine"
            awk -v folder="$1/" 'index($5, folder) == 1 { print $5 }' /proc/self/mountinfo | sort -r \
                | while read -r mount; do umount -l "$mount"; done
            rm -rf "$1"
            """;

    private static final int LONGEST_START_SECONDS = 30;
    private static final int LONGEST_STOP_SECONDS = 30;

    private static Optional<String> host;
    private static String whyNot = "";

    private TestEngine() {}

    /** Skips the test where there is no engine and none can be started. */
    public static synchronized DockerSettings settings(Path dataFolder) {
        if (host == null) {
            host = running().or(TestEngine::started);
        }
        if (host.isEmpty()) {
            System.out.println("Docker tests are skipped: " + whyNot);
            abort("Docker tests are skipped: " + whyNot);
        }
        return new DockerSettings(host.orElseThrow(), dataFolder, DockerSettings.Pull.NEVER);
    }

    private static Optional<String> running() {
        var asked = System.getenv().getOrDefault("DOCKER_HOST", DockerSettings.DEFAULT_HOST);
        return answers(asked) ? Optional.of(asked) : Optional.empty();
    }

    private static Optional<String> started() {
        if (!"root".equals(System.getProperty("user.name"))) {
            whyNot = "no Docker engine answers, and only root can start one";
            return Optional.empty();
        }
        if (!TestPrograms.have("dockerd", "docker.io", "containerd", "runc")) {
            whyNot = "there is no dockerd and docker.io cannot be installed";
            return Optional.empty();
        }
        try {
            var folder = Files.createTempDirectory("bivouac-docker-");
            var shell = new ProcessBuilder(List.of("sh", "-c", SUPERVISE, "sh", folder.toString()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(shell)));
            var ours = "unix://" + folder.resolve("socket");
            for (long start = System.nanoTime();
                    System.nanoTime() - start < TimeUnit.SECONDS.toNanos(LONGEST_START_SECONDS); ) {
                if (answers(ours)) {
                    return Optional.of(ours);
                }
                Thread.sleep(50);
            }
            whyNot = "dockerd did not start: " + Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            whyNot = "dockerd did not start: " + e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            whyNot = "starting dockerd was interrupted";
        }
        return Optional.empty();
    }

    private static void end(Process shell) {
        try {
            shell.getOutputStream().close();
            shell.waitFor(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            shell.destroy();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean answers(String address) {
        if (!address.startsWith("unix://")) {
            return false;
        }
        try (var engine = new Engine(new DockerSettings(address, Path.of("/"), DockerSettings.Pull.NEVER))) {
            engine.check();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
