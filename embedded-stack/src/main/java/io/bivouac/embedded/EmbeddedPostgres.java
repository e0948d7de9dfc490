package io.bivouac.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A PostgreSQL server of our own, as a child process. Thread-safe. */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("postgres");
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(15);

    /**
     * The lifeline. Stops the server (INT: fast, with its checkpoint) at the end of our standard input, and at once
     * (QUIT) if it is still there 10 s later. Ends when nothing of it runs any more.
     */
    private static final String UNTIL_STDIN_ENDS = """
        exec 3<&0
        "$@" </dev/null 3<&- &
        server=$!
        (
          while read -r line <&3; do :; done
          kill -INT $server
          for second in 1 2 3 4 5 6 7 8 9 10; do sleep 1; kill -0 $server || exit; done
          kill -QUIT $server
        ) 2>/dev/null &
        watcher=$!
        exec 3<&- </dev/null
        wait $server
        status=$?
        kill $watcher 2>/dev/null
        wait $watcher 2>/dev/null
        exit $status
        """;

    private final PostgresCluster cluster;
    private final int port;
    private final String password;
    private ChildProcess child;

    private EmbeddedPostgres(PostgresCluster cluster, int port, String password) {
        this.cluster = cluster;
        this.port = port;
        this.password = password;
    }

    /** Starts a server on the data in this folder, made on first use; port 0 takes any free one. */
    public static EmbeddedPostgres start(Path folder, int port) {
        try {
            var account = PostgresAccount.choose();
            var home = EmbeddedFolder.create(folder);
            account.mayPass(home);
            var cluster = new PostgresCluster(home, PostgresBinaries.unpacked(), account);
            account.requireReachable(cluster.binaries().home());
            var password = PrivateFiles.password(cluster.passwordFile());
            cluster.initialise(password);
            PostmasterFile.awaitGone(cluster.data(), LONGEST_STOP);
            var postgres = new EmbeddedPostgres(cluster, Ports.choose(port, "PostgreSQL"), password);
            postgres.startServer();
            return postgres;
        } catch (IOException e) {
            throw new EmbeddedStackException("PostgreSQL cannot use %s: %s".formatted(folder, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedStackException("interrupted while PostgreSQL started", e);
        }
    }

    /** {@code postgresql://user:password@host:port/database}. */
    public String url() {
        return "postgresql://%s:%s@%s:%d/%s"
                .formatted(PostgresCluster.NAME, password, Ports.LOOPBACK, port, PostgresCluster.NAME);
    }

    public int port() {
        return port;
    }

    public String version() {
        return cluster.binaries().version();
    }

    public synchronized boolean isAlive() {
        return child.isAlive();
    }

    /** Done when the process that runs now has ended. */
    public synchronized CompletableFuture<?> end() {
        return child.end();
    }

    /** Starts it again after it died, with the same port, password and data. */
    public synchronized void restart() {
        try {
            child.stop(LONGEST_STOP);
            PostmasterFile.awaitGone(cluster.data(), LONGEST_STOP);
            startServer();
        } catch (IOException e) {
            throw new EmbeddedStackException("PostgreSQL cannot start again: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedStackException("interrupted while PostgreSQL started", e);
        }
    }

    @Override
    public synchronized void close() {
        child.stop(LONGEST_STOP);
    }

    private synchronized void startServer() throws IOException, InterruptedException {
        var command = Stream.of(
                        List.of("setsid"),
                        cluster.account().command(List.of("sh", "-c", UNTIL_STDIN_ENDS, "postgres-lifeline")),
                        cluster.serverCommand(port))
                .flatMap(List::stream)
                .toList();
        child = ChildProcess.start(command, Map.of("LC_ALL", "C.UTF-8"), log::info);
        try {
            awaitReady();
        } catch (RuntimeException | IOException | InterruptedException e) {
            child.stop(LONGEST_STOP);
            throw e;
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LONGEST_START.toNanos();
        while (!PostmasterFile.of(cluster.data())
                .filter(PostmasterFile::isReady)
                .isPresent()) {
            if (!child.isAlive()) {
                throw new EmbeddedStackException(
                        "PostgreSQL stopped while starting on port %d:%n%s".formatted(port, child.lastWords()));
            }
            if (System.nanoTime() > deadline) {
                throw new EmbeddedStackException("PostgreSQL was not ready within %d s:%n%s"
                        .formatted(LONGEST_START.toSeconds(), child.lastWords()));
            }
            Thread.sleep(10);
        }
    }
}
