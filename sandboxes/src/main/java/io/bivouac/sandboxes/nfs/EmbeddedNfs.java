package io.bivouac.sandboxes.nfs;

import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.HostFolder;
import io.micronaut.core.annotation.Nullable;
import java.util.Map;

/** Our own NFS process. */
final class EmbeddedNfs implements NfsServer {
    private final NfsSettings settings;
    private final NfsCommand command;
    private final SandboxTokens tokens;
    private volatile @Nullable NfsProcess process;

    EmbeddedNfs(NfsSettings settings, NfsCommand command, SandboxTokens tokens) {
        this.settings = settings;
        this.command = command;
        this.tokens = tokens;
    }

    @Override
    public boolean isRunning() {
        var running = process;
        return running != null && running.isAlive();
    }

    @Override
    public void start(Runnable ended) {
        close();
        process = NfsProcess.start(command, settings, ended);
    }

    @Override
    public void open() {
        running().order(Map.of("open", Map.of()));
    }

    @Override
    public NfsAddress add(SandboxId id, HostFolder folder) {
        boolean secret = settings.beyondLoopback();
        var token = tokens.mountToken(id);
        var running = running();
        running.order(Map.of(
                "add",
                Map.of(
                        "name", id.value(),
                        "folder", folder.folder().toString(),
                        "uid", folder.uid(),
                        "gid", folder.uid(),
                        "key", tokens.mountKey(id),
                        "token", token,
                        "async", settings.isAsync())));
        var path = "/" + id + (secret ? "/" + token : "");
        return NfsAddress.embedded(settings.getPublicHost(), running.port(), path, secret);
    }

    @Override
    public void remove(SandboxId id) {
        running().order(Map.of("remove", Map.of("name", id.value())));
    }

    private NfsProcess running() {
        var running = process;
        if (running == null) {
            throw new NfsFailure("The NFS process does not run.");
        }
        return running;
    }

    @Override
    public void close() {
        var running = process;
        process = null;
        if (running != null) {
            running.close();
        }
    }
}
