package io.bivouac.agentlink.testing;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A WebSocket by Netty. The JDK's own, on a busy machine, sometimes keeps the rest of a message that came in parts to
 * itself, and both sides wait for ever.
 */
final class WebSocketLine {
    private static final int RECEIVE_BUFFER = 64 * 1024;
    private static final int LARGEST = 16 << 20;
    private static final int LARGEST_REFUSAL = 64 << 10;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final int ABNORMAL = -1;
    private static final EventLoopGroup THREADS = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());

    private final Channel channel;
    private final WebSocketClientProtocolHandler protocol;

    /** Who hears what comes. */
    interface Ear {
        void text(String whole);

        void bytes(byte[] whole);

        /** With the code that the server gave; -1 when it gave none. */
        void closed(int status);
    }

    private WebSocketLine(Channel channel, WebSocketClientProtocolHandler protocol) {
        this.channel = channel;
        this.protocol = protocol;
    }

    /** @throws HandshakeRefused when the server answers anything but 101 */
    static WebSocketLine open(String url, Map<String, String> headers, String[] protocols, Ear ear) {
        var uri = URI.create(url);
        var more = new DefaultHttpHeaders();
        headers.forEach(more::add);
        var protocol = new WebSocketClientProtocolHandler(WebSocketClientProtocolConfig.newBuilder()
                .webSocketUri(uri)
                .subprotocol(protocols.length == 0 ? null : String.join(",", protocols))
                .customHeaders(more)
                .maxFramePayloadLength(LARGEST)
                .handshakeTimeoutMillis(PATIENCE_MILLIS)
                .handleCloseFrames(false)
                // A cut says no goodbye.
                .sendCloseFrame(null)
                .build());
        var frames = new Frames(ear);
        var connected = new Bootstrap()
                .group(THREADS)
                .channel(NioSocketChannel.class)
                // Newer kernels let it grow to 32 MB: more than the agent keeps for a client that is cut off.
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER)
                .handler(new ChannelInitializer<NioSocketChannel>() {
                    @Override
                    protected void initChannel(NioSocketChannel line) {
                        line.pipeline()
                                .addLast(new HttpClientCodec())
                                .addLast(new HttpObjectAggregator(LARGEST_REFUSAL))
                                .addLast(protocol)
                                .addLast(new WebSocketFrameAggregator(LARGEST))
                                .addLast(frames);
                    }
                })
                .connect(uri.getHost(), uri.getPort())
                .syncUninterruptibly();
        try {
            frames.shaken.join();
        } catch (CompletionException failed) {
            connected.channel().close();
            throw failed.getCause() instanceof WebSocketClientHandshakeException refused && refused.response() != null
                    ? new HandshakeRefused(refused.response().status().code())
                    : new IllegalStateException(failed.getCause());
        }
        return new WebSocketLine(connected.channel(), protocol);
    }

    String protocol() {
        return String.valueOf(protocol.handshaker().actualSubprotocol());
    }

    ChannelFuture send(String text) {
        return channel.writeAndFlush(new TextWebSocketFrame(text));
    }

    ChannelFuture send(byte[] bytes) {
        return channel.writeAndFlush(new BinaryWebSocketFrame(Unpooled.wrappedBuffer(bytes)));
    }

    /** A part of a message that never ends. */
    ChannelFuture sendPart(byte[] bytes, boolean first) {
        var part = Unpooled.wrappedBuffer(bytes);
        return channel.writeAndFlush(
                first ? new BinaryWebSocketFrame(false, 0, part) : new ContinuationWebSocketFrame(false, 0, part));
    }

    void read(boolean on) {
        channel.config().setAutoRead(on);
    }

    /** As a cable that is pulled. */
    void abort() {
        channel.close();
    }

    void sayGoodbye() {
        channel.writeAndFlush(new CloseWebSocketFrame(1000, ""));
    }

    private static final class Frames extends SimpleChannelInboundHandler<WebSocketFrame> {
        private final Ear ear;
        private final CompletableFuture<Void> shaken = new CompletableFuture<>();

        Frames(Ear ear) {
            this.ear = ear;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            switch (frame) {
                case TextWebSocketFrame text -> ear.text(text.text());
                case BinaryWebSocketFrame binary -> ear.bytes(ByteBufUtil.getBytes(binary.content()));
                case CloseWebSocketFrame close -> {
                    ear.closed(close.statusCode());
                    context.writeAndFlush(new CloseWebSocketFrame(1000, "")).addListener(_ -> context.close());
                }
                default -> {}
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                shaken.complete(null);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            shaken.completeExceptionally(new ClosedChannelException());
            ear.closed(ABNORMAL);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
            shaken.completeExceptionally(broken);
            ear.closed(ABNORMAL);
            context.close();
        }
    }
}
