package io.bivouac.agentlink;

import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket of this relay for each sandbox of the machine, in the folder that only this sandbox sees. The runtime makes
 * that folder when the sandbox starts, and it is the only word about it: so a relay that starts finds the sandboxes that
 * run, and another relay of the machine finds those it knows nothing of.
 */
final class SandboxSockets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxSockets.class);

    /** What could not be opened is tried again, and what nobody told of is seen. */
    private static final long LOOK_SECONDS = 10;

    private static final long STOP_MILLIS = 2_000;

    private final SocketFolder folder;
    private final String name;
    private final EventLoopGroup accepting;
    private final AcceptGuard guard;
    private final AgentMetrics metrics;
    private final Map<String, Channel> sockets = new HashMap<>();
    private final Thread thread =
            Thread.ofPlatform().name("agents-sockets").daemon().unstarted(this::watch);
    private @Nullable WatchService watcher;

    SandboxSockets(
            SocketFolder folder, RelayId relay, EventLoopGroup accepting, AcceptGuard guard, AgentMetrics metrics) {
        this.folder = folder;
        this.name = SocketFolder.nameInside(relay.value());
        this.accepting = accepting;
        this.guard = guard;
        this.metrics = metrics;
    }

    void start() throws IOException {
        watcher = folder.path().getFileSystem().newWatchService();
        folder.path()
                .register(
                        watcher,
                        StandardWatchEventKinds.ENTRY_CREATE,
                        StandardWatchEventKinds.ENTRY_DELETE,
                        StandardWatchEventKinds.OVERFLOW);
        thread.start();
    }

    private void watch() {
        try {
            lookAtAll();
            while (!Thread.interrupted()) {
                var key = watcher.poll(LOOK_SECONDS, TimeUnit.SECONDS);
                if (key == null) {
                    lookAtAll();
                } else {
                    key.pollEvents().forEach(this::changed);
                    key.reset();
                }
            }
        } catch (InterruptedException | ClosedWatchServiceException stopped) {
            LOG.debug("No more sockets for sandboxes");
        } finally {
            closeAll();
        }
    }

    private void changed(WatchEvent<?> event) {
        if (event.kind() == StandardWatchEventKinds.OVERFLOW) {
            lookAtAll();
            return;
        }
        var changed = String.valueOf(event.context());
        if (!SandboxId.isOne(changed)) {
            return;
        }
        if (event.kind() == StandardWatchEventKinds.ENTRY_CREATE) {
            open(changed);
        } else {
            close(changed);
        }
    }

    private void lookAtAll() {
        var there = new HashSet<String>();
        try (var entries = Files.newDirectoryStream(folder.path(), SandboxId.PREFIX + "*")) {
            entries.forEach(entry -> there.add(entry.getFileName().toString()));
        } catch (IOException failed) {
            LOG.warn("Cannot read {}: {}", folder.path(), failed.getMessage());
            return;
        }
        for (var gone :
                sockets.keySet().stream().filter(id -> !there.contains(id)).toList()) {
            close(gone);
        }
        there.stream().filter(SandboxId::isOne).forEach(this::open);
    }

    private void open(String sandbox) {
        if (sockets.containsKey(sandbox)) {
            return;
        }
        var inside = folder.path().resolve(sandbox);
        try {
            folder.removeDead(inside);
            sockets.put(sandbox, listen(inside));
        } catch (IOException failed) {
            if (Files.isDirectory(inside)) {
                LOG.warn("No socket for {}, it will be tried again: {}", sandbox, failed.getMessage());
            }
        }
    }

    /** Agents see it when it can be connected to, and not before. */
    private Channel listen(Path inside) throws IOException {
        var unfinished = inside.resolve(name + ".new");
        Files.deleteIfExists(unfinished);
        var listening = new EpollServerDomainSocketChannel();
        listening.config().setBacklog(Bounds.WAITING_CONNECTIONS);
        listening.pipeline().addLast(new SandboxSocket(listening, guard, metrics));
        try {
            accepting.register(listening).sync();
            listening.bind(new DomainSocketAddress(unfinished.toFile())).sync();
            folder.open(unfinished);
            Files.move(unfinished, inside.resolve(name + SocketFolder.SUFFIX), StandardCopyOption.ATOMIC_MOVE);
            return listening;
        } catch (InterruptedException stopping) {
            listening.close();
            Thread.currentThread().interrupt();
            throw new IOException("the relay stops", stopping);
        } catch (Exception failed) {
            // Netty throws what it met, declared or not.
            listening.close();
            throw new IOException(failed.getMessage(), failed);
        }
    }

    private void close(String sandbox) {
        var listening = sockets.remove(sandbox);
        if (listening != null) {
            listening.close();
        }
    }

    private void closeAll() {
        for (var entry : sockets.entrySet()) {
            entry.getValue().close();
            try {
                Files.deleteIfExists(folder.path().resolve(entry.getKey()).resolve(name + SocketFolder.SUFFIX));
            } catch (IOException failed) {
                LOG.debug("A socket stays, and the next relay removes it: {}", failed.getMessage());
            }
        }
        sockets.clear();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (watcher != null) {
            watcher.close();
            thread.interrupt();
            thread.join(STOP_MILLIS);
        }
    }
}
