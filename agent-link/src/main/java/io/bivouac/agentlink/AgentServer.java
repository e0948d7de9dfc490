package io.bivouac.agentlink;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.micronaut.context.annotation.Context;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for agents: on a Unix socket for those on this machine, by TLS for those elsewhere. */
@Context
public class AgentServer {
    private static final Logger LOG = LoggerFactory.getLogger(AgentServer.class);
    private static final int NETWORK_THREADS = 2;
    private static final long STOP_SECONDS = 2;

    private final Doors doors;
    private final AgentWatch watch;
    private final ConnectionRecords records;
    private final AgentSettings settings;
    private final RelayId relay;
    private final List<Server> servers = new ArrayList<>();
    private EventLoopGroup network;
    private EventLoopGroup accepting;
    private AcceptGuard guard;
    private @Nullable SandboxSockets sandboxes;
    private Path socket;

    /** What is served here: agents, their ports, their files, their code, their way out, and other relays that want to reach them. */
    @Singleton
    record Doors(
            AgentDoor agents,
            PortDoor ports,
            FileDoor files,
            CodeDoor code,
            EgressDoor egress,
            ForwardDoor relays,
            RelayPass pass,
            RelayTls tls,
            AgentMetrics metrics) {}

    AgentServer(Doors doors, AgentWatch watch, ConnectionRecords records, AgentSettings settings, RelayId relay) {
        this.doors = doors;
        this.watch = watch;
        this.records = records;
        this.settings = settings;
        this.relay = relay;
    }

    @EventListener
    synchronized void start(ServerStartupEvent event) {
        if (!settings.isListen()) {
            watch.startWithoutAgents();
            return;
        }
        try {
            network = new MultiThreadIoEventLoopGroup(
                    NETWORK_THREADS, new DefaultThreadFactory("agents", true), EpollIoHandler.newFactory());
            // A sandbox that connects without end keeps this thread busy, and no agent's.
            accepting = new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("agents-accept", true), EpollIoHandler.newFactory());
            guard = new AcceptGuard(settings.getConnections(), doors.metrics());
            var agentAddress = settings.getPort() == null ? null : listenByTls(settings.getPort());
            watch.start(event.getSource().getURI().toString(), agentAddress);
            if (settings.getSocketFolder() != null) {
                listenLocally(new SocketFolder(settings.getSocketFolder()));
            }
            if (servers.isEmpty()) {
                LOG.warn("No agent can connect: set bivouac.agent.socket-folder or bivouac.agent.port");
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot listen for agents: " + failed.getMessage(), failed);
        }
    }

    private void listenLocally(SocketFolder folder) throws IOException {
        socket = folder.prepare(relay);
        var listening = guarded(new EpollServerDomainSocketChannel());
        var builder = NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .channelFactory(() -> listening)
                // gRPC asks for it; a socket of this kind does not know it, and Netty says so at each connection.
                .withChildOption(ChannelOption.SO_KEEPALIVE, null);
        servers.add(bounded(builder).build().start());
        folder.open(socket);
        guard.handlesLocal(listening);
        sandboxes = new SandboxSockets(folder, relay, accepting, guard, doors.metrics());
        sandboxes.start();
        LOG.info("Agents connect at {}", socket);
    }

    /** Gives the address at which other relays reach this one; null when they cannot. */
    private @Nullable String listenByTls(int port) throws IOException {
        var builder = NettyServerBuilder.forAddress(new InetSocketAddress(settings.getHost(), port))
                .channelFactory(() -> guarded(new EpollServerSocketChannel()))
                .sslContext(doors.tls().server());
        var server = bounded(builder).build().start();
        servers.add(server);
        LOG.info("Agents connect at {}:{}", settings.getHost(), server.getPort());
        if (!doors.tls().amongRelays()) {
            return null;
        }
        var advertised = settings.advertised(server.getPort());
        if (advertised == null) {
            LOG.warn("Other relays cannot reach this one by TLS: set BIVOUAC_AGENT_ADDRESS to a name that they can"
                    + " dial");
        }
        return advertised;
    }

    private ServerChannel guarded(ServerChannel listening) {
        listening.pipeline().addLast(guard);
        return listening;
    }

    private NettyServerBuilder bounded(NettyServerBuilder builder) {
        return builder.bossEventLoopGroup(accepting)
                .workerEventLoopGroup(network)
                // Nothing here waits, so nothing needs another thread.
                .directExecutor()
                .addTransportFilter(new AgentTransport.Filter())
                .intercept(new AgentTransport.Interceptor())
                .intercept(doors.pass())
                .addService(doors.agents())
                .addService(doors.ports())
                .addService(doors.files())
                .addService(doors.code())
                .addService(doors.egress())
                .addService(doors.relays())
                .maxInboundMessageSize(Bounds.LARGEST_MESSAGE)
                .maxInboundMetadataSize(Bounds.LARGEST_METADATA)
                .maxConcurrentCallsPerConnection(Bounds.CALLS)
                .flowControlWindow(Bounds.STREAM_WINDOW)
                .handshakeTimeout(Bounds.HANDSHAKE_WAIT.toSeconds(), TimeUnit.SECONDS)
                .maxRstFramesPerWindow(Bounds.CANCELLED_STREAMS, Bounds.CANCELLED_SECONDS)
                .maxConnectionIdle(Bounds.IDLE_CONNECTION.toSeconds(), TimeUnit.SECONDS)
                .permitKeepAliveTime(5, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true);
    }

    /** Where agents that come by TLS find this relay; 0 when they cannot. */
    public synchronized int tlsPort() {
        return servers.stream()
                .mapToInt(Server::getPort)
                .filter(port -> port > 0)
                .findFirst()
                .orElse(0);
    }

    @PreDestroy
    synchronized void stop() throws IOException, InterruptedException {
        watch.stop();
        if (network == null) {
            return;
        }
        if (sandboxes != null) {
            sandboxes.close();
        }
        for (var server : servers) {
            server.shutdownNow();
        }
        for (var server : servers) {
            server.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        }
        if (socket != null) {
            Files.deleteIfExists(socket);
        }
        accepting.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
        network.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
        try {
            records.relayStops();
        } catch (RuntimeException databaseGone) {
            LOG.debug("Other relays will see that this one stopped: {}", databaseGone.getMessage());
        }
    }
}
