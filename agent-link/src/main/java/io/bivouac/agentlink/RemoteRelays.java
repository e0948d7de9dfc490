package io.bivouac.agentlink;

import io.bivouac.sandboxes.token.SandboxTokens;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.micronaut.core.annotation.Nullable;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ways to other relays: by TLS to one that says where, else by the folder of sockets that both share. Thread-safe. */
@Singleton
class RemoteRelays {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteRelays.class);

    /** A machine that is gone says nothing; this is how long its calls go on. */
    private static final long KEEP_ALIVE_SECONDS = 10;

    private final AgentSettings settings;
    private final SandboxTokens tokens;
    private final RelayTls tls;
    private final RelayId self;
    private final Map<String, RemoteRelay> relays = new HashMap<>();
    private @Nullable EventLoopGroup network;

    RemoteRelays(AgentSettings settings, SandboxTokens tokens, RelayTls tls, RelayId self) {
        this.settings = settings;
        this.tokens = tokens;
        this.tls = tls;
        this.self = self;
    }

    /**
     * Null when it cannot be reached from here.
     *
     * @param address where it is reached by TLS; null when nowhere
     */
    synchronized @Nullable RemoteRelay find(String id, @Nullable String address) {
        var known = relays.get(id);
        if (known == null) {
            known = connect(id, address);
        }
        if (known != null) {
            known.used();
            relays.put(id, known);
        }
        return known;
    }

    private @Nullable RemoteRelay connect(String id, @Nullable String address) {
        var folder = settings.getSocketFolder();
        if (address != null && tls.amongRelays()) {
            try {
                return relay(id, byTls(address));
            } catch (IOException failed) {
                LOG.warn("Relay {} cannot be reached at {}: {}", id, address, failed.getMessage());
                return null;
            }
        }
        if (folder == null || !Files.exists(folder.resolve(id + SocketFolder.SUFFIX))) {
            return null;
        }
        var socket = folder.resolve(id + SocketFolder.SUFFIX).toFile();
        return relay(
                id,
                bounded(NettyChannelBuilder.forAddress(new DomainSocketAddress(socket)))
                        .channelType(EpollDomainSocketChannel.class)
                        .usePlaintext()
                        .build());
    }

    private ManagedChannel byTls(String address) throws IOException {
        return bounded(NettyChannelBuilder.forTarget("dns:///" + address))
                .channelType(EpollSocketChannel.class)
                .sslContext(tls.client())
                // Every relay's certificate has this name, whatever address it is reached at.
                .overrideAuthority(Authority.RELAY_NAME)
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .build();
    }

    private NettyChannelBuilder bounded(NettyChannelBuilder builder) {
        if (network == null) {
            network = new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("relays", true), EpollIoHandler.newFactory());
        }
        return builder.eventLoopGroup(network)
                .directExecutor()
                .flowControlWindow(Bounds.STREAM_WINDOW)
                .maxInboundMessageSize(Bounds.LARGEST_FORWARDED);
    }

    private RemoteRelay relay(String id, ManagedChannel channel) {
        return new RemoteRelay(channel, tokens.relayToken(id), self);
    }

    /** Gives up what waits too long, and forgets relays that nobody wants to reach any more. */
    synchronized void tick(long now) {
        relays.values().forEach(relay -> relay.tick(now));
        relays.values().removeIf(relay -> {
            boolean unused = relay.isUnused(now);
            if (unused) {
                relay.close();
            }
            return unused;
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
