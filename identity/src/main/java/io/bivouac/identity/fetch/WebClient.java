package io.bivouac.identity.fetch;

import io.bivouac.foundation.network.GuardedDialer;
import io.micronaut.core.annotation.Nullable;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpContentException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;

/**
 * Asks one question on one connection, to an address that was looked up and checked before: a client that looks
 * names up itself would connect to wherever the name points by then. Thread-safe.
 */
final class WebClient implements AutoCloseable {
    static final int LARGEST_BODY = 256 << 10;
    private static final int LONGEST_LINE = 4 << 10;
    private static final int LARGEST_HEAD = 16 << 10;
    private static final int LARGEST_CHUNK = 8 << 10;

    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("guarded-fetch", true), NioIoHandler.newFactory());
    private @Nullable SslContext tls;

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

    /**
     * The answer of the first address that takes the connection.
     *
     * @param addresses that the guard let pass
     */
    Document send(Ask ask, List<InetAddress> addresses, long deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        var latest = new AtomicReference<ChannelFuture>();
        try {
            return GuardedDialer.connectToFirst(
                            addresses, ask.port(), address -> connect(ask, address, deadline, latest))
                    .thenCompose(conversation -> conversation.ask(ask))
                    .get(left(deadline), TimeUnit.NANOSECONDS);
        } finally {
            var attempt = latest.get();
            if (attempt != null) {
                attempt.cancel(false);
                attempt.channel().close();
            }
        }
    }

    private CompletableFuture<Conversation> connect(
            Ask ask, InetSocketAddress address, long deadline, AtomicReference<ChannelFuture> latest) {
        if (deadline - System.nanoTime() <= 0) {
            return CompletableFuture.failedFuture(new TimeoutException());
        }
        var answer = new CompletableFuture<Document>();
        var connected = new CompletableFuture<Conversation>();
        var attempt = bootstrap(ask, answer).connect(address);
        latest.set(attempt);
        attempt.addListener(done -> {
            if (done.isSuccess()) {
                connected.complete(new Conversation(attempt.channel(), answer));
            } else {
                connected.completeExceptionally(new IOException("nobody answers at " + ask.hostHeader()));
            }
        });
        return connected;
    }

    private record Conversation(Channel channel, CompletableFuture<Document> answer) {
        CompletableFuture<Document> ask(Ask ask) {
            channel.writeAndFlush(request(ask)).addListener(written -> {
                if (!written.isSuccess()) {
                    answer.completeExceptionally(written.cause());
                }
            });
            return answer;
        }
    }

    private static long left(long deadline) throws TimeoutException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new TimeoutException();
        }
        return left;
    }

    private Bootstrap bootstrap(Ask ask, CompletableFuture<Document> answer) {
        return new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (ask.encrypted()) {
                            channel.pipeline().addLast(tls().newHandler(channel.alloc(), ask.host(), ask.port()));
                        }
                        channel.pipeline()
                                .addLast(new HttpClientCodec(LONGEST_LINE, LARGEST_HEAD, LARGEST_CHUNK))
                                .addLast(new HttpObjectAggregator(LARGEST_BODY))
                                .addLast(new Reader(ask, answer));
                    }
                });
    }

    private static DefaultFullHttpRequest request(Ask ask) {
        var body = ask.body() == null ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(ask.body());
        var request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(ask.method()), ask.target(), body);
        var headers = request.headers();
        headers.set(HttpHeaderNames.HOST, ask.hostHeader());
        headers.set(HttpHeaderNames.USER_AGENT, "Bivouac-Relay/1");
        headers.set(HttpHeaderNames.CONNECTION, "close");
        if (ask.body() != null) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, ask.body().length);
        }
        ask.headers().forEach(headers::set);
        return request;
    }

    private static final class Reader extends SimpleChannelInboundHandler<FullHttpResponse> {
        private final Ask ask;
        private final CompletableFuture<Document> answer;

        Reader(Ask ask, CompletableFuture<Document> answer) {
            this.ask = ask;
            this.answer = answer;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            if (response.decoderResult().isFailure()) {
                exceptionCaught(context, response.decoderResult().cause());
                return;
            }
            var body = new byte[response.content().readableBytes()];
            response.content().readBytes(body);
            answer.complete(new Document(
                    ask.url(),
                    response.status().code(),
                    Document.typeOf(response.headers().get(HttpHeaderNames.CONTENT_TYPE)),
                    body,
                    response.headers().get(HttpHeaderNames.LOCATION),
                    response.headers().getAll("Link")));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            answer.completeExceptionally(new IOException("the connection was closed before the answer"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            answer.completeExceptionally(
                    cause instanceof TooLongHttpContentException
                            ? FetchFailed.forGood("the document is larger than " + LARGEST_BODY + " bytes")
                            : cause);
            context.close();
        }
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
