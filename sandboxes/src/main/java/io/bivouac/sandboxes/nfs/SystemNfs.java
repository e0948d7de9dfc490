package io.bivouac.sandboxes.nfs;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.HostFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The host's own NFS server, told by {@code exportfs} which folders it has. Its exports outlive this process. */
final class SystemNfs implements NfsServer {
    private static final int PORT = 2049;
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final List<Path> FOLDERS = List.of(Path.of("/usr/sbin"), Path.of("/sbin"), Path.of("/usr/bin"));

    private final Path exportfs;
    private final NfsSettings settings;
    private final Path data;
    private final Map<SandboxId, Path> exported = new ConcurrentHashMap<>();
    private volatile boolean running;

    SystemNfs(Path exportfs, NfsSettings settings, Path data) {
        this.exportfs = exportfs;
        this.settings = settings;
        this.data = data;
    }

    static SystemNfs ofThisHost(NfsSettings settings, Path data) {
        return new SystemNfs(program(FOLDERS, Path.of("/etc/exports")), settings, data);
    }

    /** @param exports a file that the program must have, though what is in it is no matter of ours */
    static Path program(List<Path> folders, Path exports) {
        var program = folders.stream()
                .map(folder -> folder.resolve("exportfs"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(
                        () -> new NfsFailure("BIVOUAC_NFS=system needs the host's NFS server, and there is no exportfs"
                                + " here. Install it (Debian: nfs-kernel-server), or use BIVOUAC_NFS=embedded."));
        if (!Files.isReadable(exports)) {
            throw new NfsFailure("BIVOUAC_NFS=system needs " + exports + ", without which exportfs fails; it may be"
                    + " empty. Make it (touch " + exports + "), or use BIVOUAC_NFS=embedded.");
        }
        return program;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** What a run before this one has left, and no sandbox has any more, goes. */
    @Override
    public void start(Runnable ended) {
        for (var line : run(List.of("-s")).lines().toList()) {
            var words = line.strip().split("\\s+");
            if (words.length == 2 && Path.of(words[0]).startsWith(data)) {
                run(List.of("-u", clientAnd(words[1].replaceFirst("\\(.*", ""), Path.of(words[0]))));
            }
        }
        running = true;
    }

    /** It has its own clients already. */
    @Override
    public void open() {}

    @Override
    public NfsAddress add(SandboxId id, HostFolder folder) {
        var path = folder.folder();
        // A number of its own: the file systems of disks come and go, and handles are to outlive that.
        var fsid = UUID.nameUUIDFromBytes(id.value().getBytes(StandardCharsets.UTF_8));
        var options = "rw,%s,no_subtree_check,all_squash,anonuid=%d,anongid=%d,fsid=%s"
                .formatted(settings.isAsync() ? "async" : "sync", folder.uid(), folder.uid(), fsid);
        try {
            clients().forEach(client -> run(List.of("-o", options, clientAnd(client, path))));
        } catch (NfsFailure failed) {
            // Some of the networks may have it already.
            withdraw(path, failed);
            throw failed;
        }
        exported.put(id, path);
        return NfsAddress.system(settings.getPublicHost(), PORT, path.toString());
    }

    @Override
    public void remove(SandboxId id) {
        var path = exported.remove(id);
        if (path != null) {
            clients().forEach(client -> run(List.of("-u", clientAnd(client, path))));
            // The server holds files open for a while, unless it is told to let go.
            run(List.of("-f"));
        }
    }

    private void withdraw(Path path, NfsFailure why) {
        for (var client : clients()) {
            try {
                run(List.of("-u", clientAnd(client, path)));
            } catch (NfsFailure notExported) {
                why.addSuppressed(notExported);
            }
        }
    }

    /** As exportfs takes them; an address of IPv6 has colons of its own. */
    private static String clientAnd(String client, Path path) {
        return (client.contains(":") ? "[" + client + "]" : client) + ":" + path;
    }

    private List<String> clients() {
        return settings.getAllow().isEmpty() ? List.of("127.0.0.1") : settings.getAllow();
    }

    private String run(List<String> arguments) {
        var words = new ArrayList<>(List.of(exportfs.toString()));
        words.addAll(arguments);
        try {
            var process = new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new NfsFailure("exportfs does not end.");
            }
            if (process.exitValue() != 0) {
                throw new NfsFailure("exportfs refused: " + output.strip());
            }
            return output;
        } catch (IOException e) {
            throw new NfsFailure("exportfs cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new NfsFailure("stopped while waiting for exportfs", stopped);
        }
    }

    /** The exports stay: sandboxes go on without this process, and so do mounts. */
    @Override
    public void close() {
        running = false;
    }
}
