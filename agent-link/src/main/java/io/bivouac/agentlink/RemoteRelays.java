package io.bivouac.agentlink;

import io.bivouac.sandboxes.token.SandboxTokens;
import io.grpc.netty.NettyChannelBuilder;
import io.micronaut.core.annotation.Nullable;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The ways to the relays whose sockets are in the same folder as ours. Thread-safe. */
@Singleton
class RemoteRelays {
    private final AgentSettings settings;
    private final SandboxTokens tokens;
    private final Map<String, RemoteRelay> relays = new HashMap<>();
    private @Nullable EventLoopGroup network;

    RemoteRelays(AgentSettings settings, SandboxTokens tokens) {
        this.settings = settings;
        this.tokens = tokens;
    }

    /** Null when it cannot be reached from here. */
    synchronized @Nullable RemoteRelay find(String id) {
        var folder = settings.getSocketFolder();
        if (folder == null || !Files.exists(folder.resolve(id + SocketFolder.SUFFIX))) {
            return null;
        }
        return relays.computeIfAbsent(id, this::connect);
    }

    private RemoteRelay connect(String id) {
        if (network == null) {
            network = new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("relays", true), EpollIoHandler.newFactory());
        }
        var socket = settings.getSocketFolder().resolve(id + SocketFolder.SUFFIX);
        var channel = NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .channelType(EpollDomainSocketChannel.class)
                .eventLoopGroup(network)
                .directExecutor()
                .flowControlWindow(Bounds.STREAM_WINDOW)
                .maxInboundMessageSize(Bounds.LARGEST_MESSAGE)
                .usePlaintext()
                .build();
        return new RemoteRelay(channel, tokens.relayToken(id));
    }

    /** Gives up what waits too long, and forgets relays that are gone. */
    synchronized void tick(long now) {
        relays.values().forEach(relay -> relay.tick(now));
        relays.entrySet().removeIf(entry -> {
            boolean gone = entry.getValue().isIdle()
                    && !Files.exists(settings.getSocketFolder().resolve(entry.getKey() + SocketFolder.SUFFIX));
            if (gone) {
                entry.getValue().close();
            }
            return gone;
        });
    }

    @PreDestroy
    synchronized void close() {
        relays.values().forEach(RemoteRelay::close);
        if (network != null) {
            network.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
