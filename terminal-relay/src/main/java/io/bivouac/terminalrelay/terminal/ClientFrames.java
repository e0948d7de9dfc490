package io.bivouac.terminalrelay.terminal;

import io.bivouac.terminalrelay.wire.BadFrame;
import io.bivouac.terminalrelay.wire.Codec;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one client's frames, whole ones, and sees that it is still there. It stands before the framework's own
 * handler, which would gather fragments without end and has no way to hold a client back. No frame goes on to that
 * one: with a quick client it is not in place yet, and the frame would reach the reader of HTTP requests.
 */
public final class ClientFrames extends ChannelDuplexHandler {
    /** One frame, or all fragments of one. */
    public static final int LARGEST = 128 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ClientFrames.class);
    private static final int MISSED_PINGS = 2;

    private final Codec codec;
    private final Client client;
    private final Listening listening;
    private final Duration pingEvery;
    private Future<?> pings;
    private long heardAt = System.nanoTime();
    private boolean farewell;
    private boolean gone;
    private boolean saidGoodbye;

    public ClientFrames(Codec codec, Client client, Listening listening, Duration pingEvery) {
        this.codec = codec;
        this.client = client;
        this.listening = listening;
        this.pingEvery = pingEvery;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        long millis = pingEvery.toMillis();
        pings = context.executor().scheduleAtFixedRate(() -> ping(context), millis, millis, TimeUnit.MILLISECONDS);
        if (!context.channel().isActive()) {
            leave();
        }
    }

    private void ping(ChannelHandlerContext context) {
        long silent = System.nanoTime() - heardAt;
        if (!client.isPaused()
                && silent > pingEvery.multipliedBy(MISSED_PINGS + 1).toNanos()) {
            context.close();
        } else if (context.channel().isWritable()) {
            context.writeAndFlush(new PingWebSocketFrame());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        heardAt = System.nanoTime();
        switch (message) {
            case TextWebSocketFrame text -> receive(text);
            case BinaryWebSocketFrame binary -> receive(binary);
            case CloseWebSocketFrame close -> {
                farewell = close.statusCode() == WebSocketCloseStatus.NORMAL_CLOSURE.code();
                answer(context, close);
            }
            case PingWebSocketFrame ping -> answer(context, ping);
            case WebSocketFrame other -> other.release();
            default -> context.fireChannelRead(message);
        }
    }

    /** Says the same, unless this one is itself the answer to ours. */
    private void answer(ChannelHandlerContext context, CloseWebSocketFrame close) {
        if (client.isClosing() || saidGoodbye) {
            close.release();
            context.close();
            return;
        }
        saidGoodbye = true;
        context.writeAndFlush(close).addListener(_ -> context.close());
        // Who does not read it does not keep its connection.
        var late = context.executor().schedule(() -> context.close(), Client.FAREWELL_SECONDS, TimeUnit.SECONDS);
        context.channel().closeFuture().addListener(_ -> late.cancel(false));
    }

    /** One that is not read is not heaped up. */
    private void answer(ChannelHandlerContext context, PingWebSocketFrame ping) {
        if (saidGoodbye || !context.channel().isWritable()) {
            ping.release();
        } else {
            context.writeAndFlush(new PongWebSocketFrame(ping.content()));
        }
    }

    private void receive(WebSocketFrame frame) {
        try {
            if (client.isClosing()) {
                return;
            }
            listening.receive(codec.read(ByteBufUtil.getBytes(frame.content())));
        } catch (BadFrame bad) {
            listening.misheard(bad.getMessage());
        } finally {
            ReferenceCountUtil.release(frame);
        }
    }

    /** After a goodbye nothing more may be said (RFC 6455, section 5.5.1), whoever still wants to. */
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (saidGoodbye && message instanceof WebSocketFrame) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        saidGoodbye |= message instanceof CloseWebSocketFrame;
        context.write(message, promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        leave();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        leave();
    }

    /** Tells that the client is gone, once. On the network's thread. */
    public void leave() {
        if (pings != null) {
            pings.cancel(false);
        }
        if (!gone) {
            gone = true;
            listening.gone(farewell);
        }
    }

    /** What is too large, or no WebSocket frame at all, ends the connection; the terminal goes on. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cannotBeInflated(cause)) {
            client.refused("INVALID_REQUEST: cannot be inflated");
            client.close(WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "cannot be inflated");
        } else if (cause instanceof TooLongFrameException || cause instanceof DecompressionException) {
            client.refused("TOO_LARGE: more than " + LARGEST + " bytes");
            client.close(WebSocketCloseStatus.MESSAGE_TOO_BIG, "at most " + LARGEST + " bytes");
        } else if (cause instanceof CorruptedWebSocketFrameException corrupted) {
            client.refused("INVALID_REQUEST: no WebSocket frame");
            client.close(corrupted.closeStatus(), "");
        } else {
            if (!(cause instanceof IOException || cause instanceof PrematureChannelClosureException)) {
                LOG.warn("A client is cut off, since what it said could not be taken", cause);
            }
            context.close();
        }
    }

    /** A frame flagged as compressed that does not inflate. */
    private static boolean cannotBeInflated(Throwable cause) {
        return cause instanceof DecompressionException && cause.getCause() instanceof DataFormatException
                || cause instanceof DecoderException
                        && cause.getCause() != null
                        && cause.getCause().getClass() == CodecException.class;
    }
}
