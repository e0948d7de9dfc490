package io.bivouac.webhooks.sending;

import io.bivouac.foundation.network.GuardedDialer.Destination;
import io.bivouac.foundation.share.Party;
import io.bivouac.webhooks.endpoint.EndpointNetwork;
import io.micronaut.core.annotation.Nullable;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;

/** Opens connections, past the guard. Thread-safe. */
@Singleton
public class Dialer {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int LONGEST_LINE = 4 << 10;
    private static final int LARGEST_HEAD = 16 << 10;
    private static final int LARGEST_CHUNK = 8 << 10;

    private final EndpointNetwork network;
    private @Nullable SslContext tls;

    Dialer(EndpointNetwork network) {
        this.network = network;
    }

    /** Made when it is first needed: reading the machine's certificates would hold up every start. */
    private synchronized SslContext tls() {
        if (tls == null) {
            try {
                tls = SslContextBuilder.forClient()
                        .endpointIdentificationAlgorithm("HTTPS")
                        .build();
            } catch (SSLException broken) {
                throw new IllegalStateException(broken);
            }
        }
        return tls;
    }

    /** A connection whose last handler is an {@link AnswerReader}; the name is looked up in the project's name. */
    CompletableFuture<Channel> dial(Target target, String project, EventLoop loop) {
        return network.dialer()
                .dial(
                        new Destination(target.host(), target.port(), target.encrypted()),
                        new Party(project, target.host()),
                        address -> connect(address, target, loop));
    }

    private CompletableFuture<Channel> connect(InetSocketAddress address, Target target, EventLoop loop) {
        var connected = new CompletableFuture<Channel>();
        var attempt = bootstrap(target, loop).connect(address);
        attempt.addListener(done -> {
            if (done.isSuccess()) {
                connected.complete(attempt.channel());
            } else {
                connected.completeExceptionally(done.cause());
            }
        });
        return connected;
    }

    private Bootstrap bootstrap(Target target, EventLoop loop) {
        return new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (target.encrypted()) {
                            channel.pipeline()
                                    .addLast(tls().newHandler(channel.alloc(), target.certifiedName(), target.port()));
                        }
                        channel.pipeline().addLast(new HttpClientCodec(LONGEST_LINE, LARGEST_HEAD, LARGEST_CHUNK));
                        channel.pipeline().addLast(new AnswerReader());
                    }
                });
    }
}
