package io.bivouac.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The files of one PostgreSQL: made on first use, and how a server is started on them. */
record PostgresCluster(Path folder, PostgresBinaries binaries, PostgresAccount account) {
    static final String NAME = "bivouac";

    private static final String UNFINISHED = "data.new";

    /** Small, and the same durability as a real installation: a committed answer survives a power cut. */
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("listen_addresses", Ports.LOOPBACK),
            Map.entry("unix_socket_directories", ""),
            Map.entry("max_connections", "60"),
            Map.entry("shared_buffers", "32MB"),
            Map.entry("work_mem", "2MB"),
            Map.entry("maintenance_work_mem", "32MB"),
            Map.entry("max_wal_size", "256MB"),
            Map.entry("min_wal_size", "32MB"),
            Map.entry("wal_level", "minimal"),
            Map.entry("max_wal_senders", "0"),
            Map.entry("max_logical_replication_workers", "0"),
            Map.entry("max_worker_processes", "2"),
            Map.entry("max_parallel_workers_per_gather", "0"),
            Map.entry("autovacuum_max_workers", "1"),
            Map.entry("io_method", "sync"),
            Map.entry("jit", "off"),
            Map.entry("fsync", "on"),
            Map.entry("log_min_messages", "warning"),
            Map.entry("log_line_prefix", ""));

    Path data() {
        return folder.resolve("data");
    }

    Path passwordFile() {
        return folder.resolve("password");
    }

    /**
     * Under another name first, and each time another one: an initialisation that was cut short is begun again, and
     * the initdb of a server that was killed may still be writing.
     */
    void initialise(String password) throws IOException, InterruptedException {
        removeUnfinished();
        if (Files.exists(data())) {
            return;
        }
        var fresh = Files.createTempDirectory(folder, UNFINISHED);
        account.owns(fresh);
        var handedOver = folder.resolve("password.handed-over");
        PrivateFiles.write(handedOver, password + "\n");
        account.owns(handedOver);
        try {
            run(
                    "",
                    binaries.program("initdb").toString(),
                    "--pgdata=" + fresh,
                    "--username=" + NAME,
                    "--pwfile=" + handedOver,
                    "--auth=scram-sha-256",
                    // Many rounds slow down who guesses a person's password. Nobody guesses a random one, and each
                    // connection of a start would do the rounds.
                    "--set=scram_iterations=1",
                    "--encoding=UTF8",
                    "--locale-provider=builtin",
                    "--locale=C.UTF-8",
                    "--no-instructions");
        } finally {
            Files.deleteIfExists(handedOver);
        }
        run(
                "CREATE DATABASE " + NAME + ";\n",
                binaries.program("postgres").toString(),
                "--single",
                "-D",
                fresh.toString(),
                "postgres");
        Files.move(fresh, data(), StandardCopyOption.ATOMIC_MOVE);
    }

    private void removeUnfinished() throws IOException {
        try (var left = Files.newDirectoryStream(folder, UNFINISHED + "*")) {
            for (var unfinished : left) {
                try {
                    PrivateFiles.deleteTree(unfinished);
                } catch (IOException stillWritten) {
                    // The next start tries again.
                }
            }
        }
    }

    List<String> serverCommand(int port) {
        var settings = Stream.concat(SETTINGS.entrySet().stream(), Stream.of(Map.entry("port", "" + port)))
                .flatMap(setting -> Stream.of("-c", setting.getKey() + "=" + setting.getValue()));
        return Stream.concat(Stream.of(binaries.program("postgres").toString(), "-D", data().toString()), settings)
                .toList();
    }

    private void run(String input, String... command) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(account.command(List.of(command))).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        var process = builder.start();
        try (var stdin = process.outputWriter(UTF_8)) {
            stdin.write(input);
        }
        var said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new EmbeddedStackException("PostgreSQL's %s failed in %s:%n%s"
                    .formatted(Path.of(command[0]).getFileName(), folder, said.strip()));
        }
    }
}
