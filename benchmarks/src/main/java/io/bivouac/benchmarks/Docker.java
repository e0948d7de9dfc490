package io.bivouac.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A Docker engine to compare with: the one that runs here, or else one of our own for a while. A shell holds ours and
 * watches the pipe from this program: however this ends, the engine ends, its mounts are undone and its folder is gone.
 */
final class Docker implements AutoCloseable {
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

    private static final String IMAGE = "bivouac-bench:tree";
    private static final int LONGEST_START_SECONDS = 30;
    private static final int LONGEST_STOP_SECONDS = 60;

    private final String program;
    private final String host;
    private final Optional<Process> shell;
    private final AtomicInteger names = new AtomicInteger();
    private final Set<String> containers = ConcurrentHashMap.newKeySet();

    private Docker(String program, String host, Optional<Process> shell) {
        this.program = program;
        this.host = host;
        this.shell = shell;
    }

    /** Empty, and said, where there is none and none can be started. */
    static Optional<Docker> find() throws IOException, InterruptedException {
        var program = Programs.find("docker");
        if (program.isEmpty()) {
            System.err.println("  no docker here: its columns stay empty");
            return Optional.empty();
        }
        var asked = System.getenv().getOrDefault("DOCKER_HOST", "unix:///var/run/docker.sock");
        var found = new Docker(program.get(), asked, Optional.empty());
        var docker = started(program.get(), found);
        if (docker.isPresent()) {
            docker.get().makeImage();
        }
        return docker;
    }

    private static Optional<Docker> started(String program, Docker found) throws IOException, InterruptedException {
        if (found.answers()) {
            Cleanup.expect(found);
            return Optional.of(found);
        }
        if (Programs.find("dockerd").isEmpty() || !"root".equals(System.getProperty("user.name"))) {
            System.err.println("  no Docker engine runs, and none can be started: its columns stay empty");
            return Optional.empty();
        }
        var folder = Files.createTempDirectory("bivouac-bench-docker-");
        var shell = new ProcessBuilder("sh", "-c", SUPERVISE, "sh", folder.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var docker = new Docker(program, "unix://" + folder.resolve("socket"), Optional.of(shell));
        Cleanup.expect(docker);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_START_SECONDS);
        while (System.nanoTime() < deadline) {
            if (docker.answers()) {
                return Optional.of(docker);
            }
            Thread.sleep(50);
        }
        System.err.println("  dockerd did not start: its columns stay empty");
        docker.close();
        return Optional.empty();
    }

    private boolean answers() {
        return exitCode("version") == 0;
    }

    /** A few files around one static program: no tree could be lighter to start. */
    private void makeImage() throws IOException, InterruptedException {
        var busybox = Programs.find("busybox").orElseThrow(() -> new IllegalStateException("busybox is needed"));
        try (var folder = new WorkFolder("image")) {
            var bin = Files.createDirectories(folder.path().resolve("tree/bin"));
            Files.copy(Path.of(busybox), bin.resolve("busybox"));
            for (var command : List.of("sh", "sleep", "true")) {
                Files.createSymbolicLink(bin.resolve(command), Path.of("busybox"));
            }
            var archive = folder.path().resolve("tree.tar").toString();
            Programs.run(List.of(
                    Programs.find("tar").orElseThrow(),
                    "-C",
                    folder.path().resolve("tree").toString(),
                    "-cf",
                    archive,
                    "."));
            run("import", archive, IMAGE);
        }
    }

    /** Makes a container that waits, and returns its name when it runs. */
    String start() {
        var name = "bivouac-bench-" + ProcessHandle.current().pid() + "-" + names.incrementAndGet();
        containers.add(name);
        run("run", "-d", "--name", name, "--network", "none", IMAGE, "sleep", "86400");
        return name;
    }

    String idOf(String container) {
        try {
            var inspect = new ProcessBuilder(program, "-H", host, "inspect", "-f", "{{.Id}}", container).start();
            return new String(inspect.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    void exec(String container, String... argv) {
        var words = new ArrayList<>(List.of("exec", container));
        words.addAll(List.of(argv));
        run(words.toArray(String[]::new));
    }

    void remove(String container) {
        containers.remove(container);
        run("rm", "-f", "-v", container);
    }

    private void run(String... arguments) {
        if (exitCode(arguments) != 0) {
            throw new IllegalStateException("docker " + String.join(" ", arguments) + " failed");
        }
    }

    private int exitCode(String... arguments) {
        var argv = new ArrayList<>(List.of(program));
        argv.addAll(List.of(arguments));
        return Programs.exitCode(argv, "DOCKER_HOST=" + host);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (!Cleanup.claim(this)) {
            return;
        }
        containers.forEach(container -> exitCode("rm", "-f", "-v", container));
        exitCode("rmi", "-f", IMAGE);
        if (shell.isPresent()) {
            shell.get().getOutputStream().close();
            if (!shell.get().waitFor(LONGEST_STOP_SECONDS, TimeUnit.SECONDS)) {
                shell.get().destroy();
            }
        }
    }
}
