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
        var program = FOLDERS.stream()
                .map(folder -> folder.resolve("exportfs"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(
                        () -> new NfsFailure("BIVOUAC_NFS=system needs the host's NFS server, and there is no exportfs"
                                + " here. Install it (Debian: nfs-kernel-server), or use BIVOUAC_NFS=embedded."));
        return new SystemNfs(program, settings, data);
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
                run(List.of("-u", words[1].replaceFirst("\\(.*", "") + ":" + words[0]));
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
        clients().forEach(client -> run(List.of("-o", options, client + ":" + path)));
        exported.put(id, path);
        return NfsAddress.system(settings.getPublicHost(), PORT, path.toString());
    }

    @Override
    public void remove(SandboxId id) {
        var path = exported.remove(id);
        if (path != null) {
            clients().forEach(client -> run(List.of("-u", client + ":" + path)));
            // The server holds files open for a while, unless it is told to let go.
            run(List.of("-f"));
        }
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
