package io.bivouac.sandboxio.gateway;

import io.bivouac.http.connection.ConnectionCount;
import io.bivouac.sandboxio.gateway.ResponseHead.Door;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import jakarta.annotation.PreDestroy;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gateway's own listener. */
@Context
class GatewayServer {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayServer.class);
    private static final int THREADS = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8);
    private static final int BACKLOG = 1024;
    private static final int MOST_CLIENTS = 4096;
    private static final int IDLE_SECONDS = 60;
    private static final int STOP_SECONDS = 2;

    private final Gateway gateway;
    private final GatewaySettings settings;
    private final ConnectionCount count;
    private final String host;
    private final List<Channel> listeners = new ArrayList<>();
    private final AtomicInteger clients = new AtomicInteger();
    private @Nullable EventLoopGroup network;
    private @Nullable SslContext tls;

    GatewayServer(
            Gateway gateway,
            GatewaySettings settings,
            ConnectionCount count,
            @Value("${micronaut.server.host:127.0.0.1}") String host) {
        this.count = count;
        this.gateway = gateway;
        this.settings = settings;
        this.host = host;
    }

    @EventListener
    synchronized void start(ServerStartupEvent event) {
        network = new MultiThreadIoEventLoopGroup(
                THREADS, new DefaultThreadFactory("gateway", true), EpollIoHandler.newFactory());
        try {
            tls = settings.tlsCert().isEmpty()
                    ? null
                    : SslContextBuilder.forServer(
                                    new File(settings.tlsCert().get()),
                                    new File(settings.tlsKey().orElse("")))
                            .build();
            var address = InetAddress.getByName(host);
            int port = ((InetSocketAddress) bind(address).localAddress()).getPort();
            gateway.addresses().listening(port, tls != null, listensApart(address, port));
            LOG.info("Ports of sandboxes are at {}", gateway.addresses().base());
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "the gateway cannot listen on " + host + ": " + failed.getMessage()
                            + "; choose another port with BIVOUAC_GATEWAY_PORT (0 = any free one)",
                    failed);
        }
    }

    /** The port that was asked for; else the usual one, or any other where another program has that. */
    private Channel bind(InetAddress address) throws IOException {
        if (settings.port().isPresent()) {
            return bind(new InetSocketAddress(address, settings.port().get()));
        }
        try {
            return bind(new InetSocketAddress(address, GatewaySettings.USUAL_PORT));
        } catch (IOException taken) {
            LOG.info("Port {} is in use, so the gateway takes another", GatewaySettings.USUAL_PORT);
            return bind(new InetSocketAddress(address, 0));
        }
    }

    /** Browsers have a loopback address to themselves, so that the console's cookies are not sent along. */
    private boolean listensApart(InetAddress address, int port) throws IOException {
        if (address.isAnyLocalAddress()) {
            return true;
        }
        if (!address.isLoopbackAddress() || address.getAddress().length != 4) {
            return false;
        }
        try {
            bind(new InetSocketAddress(InetAddress.getByName(GatewayAddresses.LOOPBACK_FOR_BROWSERS), port));
            return true;
        } catch (IOException notHere) {
            LOG.warn(
                    "The gateway cannot listen on {}:{} for browsers: {}",
                    GatewayAddresses.LOOPBACK_FOR_BROWSERS,
                    port,
                    notHere.getMessage());
            return false;
        }
    }

    private Channel bind(InetSocketAddress address) throws IOException {
        var bound = new ServerBootstrap()
                .group(network)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new Initializer())
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(bound.cause().getMessage(), bound.cause());
        }
        listeners.add(bound.channel());
        return bound.channel();
    }

    private final class Initializer extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel client) {
            if (clients.incrementAndGet() > MOST_CLIENTS) {
                clients.decrementAndGet();
                client.close();
                return;
            }
            client.closeFuture().addListener(_ -> clients.decrementAndGet());
            if (tls != null) {
                client.pipeline().addLast(tls.newHandler(client.alloc()));
            }
            client.pipeline()
                    .addLast(
                            new IdleStateHandler(0, 0, IDLE_SECONDS),
                            new FrontCodec(),
                            count.open(client),
                            new FrontHandler(gateway, Door.GATEWAY, tls != null));
        }
    }

    @PreDestroy
    synchronized void stop() {
        if (network != null) {
            listeners.forEach(Channel::close);
            network.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
        }
    }
}
