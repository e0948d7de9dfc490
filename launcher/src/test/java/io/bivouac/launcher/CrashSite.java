package io.bivouac.launcher;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * A data folder with a server on it that is killed and started again. Closed, nothing of it is left on this machine,
 * whatever the test did.
 */
final class CrashSite implements AutoCloseable {
    final Path data;
    private final Map<String, String> settings;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private ServerProcess server;
    private Api api;
    private HostTraces traces;

    private CrashSite(Path data, Map<String, String> settings) {
        this.data = data;
        this.settings = settings;
    }

    /** With a server that can make sandboxes. */
    static CrashSite open(Map<String, String> settings) throws Exception {
        var site = openBroken(settings);
        try {
            ServerProcess.await("the server is ready", () -> site.api().isReady());
            return site;
        } catch (Exception | AssertionError failed) {
            site.close();
            throw failed;
        }
    }

    /** With a server that has started, whatever it can do. */
    static CrashSite openBroken(Map<String, String> settings) throws Exception {
        assumeTrue(
                "root".equals(System.getProperty("user.name")), "sandboxes with disks and ids of their own need root");
        var data = Files.createTempDirectory("bivouac-crash");
        // PostgreSQL and the sandboxes have accounts of their own.
        Files.setPosixFilePermissions(data, fromString("rwx--x--x"));
        var all = new HashMap<>(Map.of("BIVOUAC_WARM_SANDBOXES", "2"));
        all.putAll(settings);
        var site = new CrashSite(data, all);
        try {
            site.start();
            return site;
        } catch (Exception | AssertionError failed) {
            site.close();
            throw failed;
        }
    }

    /** Also after a stop. */
    void start() throws Exception {
        if (server != null) {
            server.close();
        }
        server = ServerProcess.start(data, settings).awaitReady();
        api = new Api(
                client,
                server.valueOf("Console"),
                Files.readString(data.resolve("api-key")).strip());
        if (traces == null) {
            var installation = database().installation();
            traces = new HostTraces(data, installation.substring(installation.length() - 12));
        }
    }

    Api api() {
        return api;
    }

    HostTraces traces() {
        return traces;
    }

    ServerProcess server() {
        return server;
    }

    SiteDatabase database() throws SQLException {
        return SiteDatabase.of(data);
    }

    void kill() throws InterruptedException, IOException {
        server.close();
    }

    @Override
    public void close() throws Exception {
        client.close();
        if (server != null) {
            keepLog();
            server.close();
        }
        if (traces != null) {
            removeTraces();
        }
        run("rm", "-rf", "--one-file-system", data.toString());
    }

    /** For whoever asks why a test failed. */
    private void keepLog() throws IOException {
        var logs = Files.createDirectories(Path.of("target", "crash-logs"));
        Files.writeString(
                logs.resolve(data.getFileName() + ".log"),
                HostTraces.read(data.resolve("logs/server.log")) + server.lastWords());
    }

    private void removeTraces() throws Exception {
        ServerProcess.await(
                "no postgres and no Kafka", () -> traces.backingProcesses().isEmpty());
        ServerProcess.await("no process of a sandbox", () -> {
            traces.sandboxProcesses().forEach(process -> kill(Long.parseLong(process.split(" ")[0])));
            return traces.sandboxProcesses().isEmpty();
        });
        unmount(traces);
        for (var parent : traces.groupParents()) {
            for (var group : traces.groups()) {
                Files.deleteIfExists(parent.resolve(group));
            }
            Files.deleteIfExists(parent);
        }
    }

    static void unmount(HostTraces traces) throws IOException, InterruptedException {
        for (var mount : traces.mounts()) {
            run("umount", "-l", mount.toString());
        }
    }

    static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static void run(String... command) throws IOException, InterruptedException {
        new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
