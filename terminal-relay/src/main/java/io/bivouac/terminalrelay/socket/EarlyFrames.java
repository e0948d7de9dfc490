package io.bivouac.terminalrelay.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;

/**
 * Keeps the frames that a client sends before their reader is in place. The checks before a WebSocket is opened wait
 * on other threads than the network's, and the framework goes on there: without this, a quick client's first frames
 * would reach the reader of HTTP requests.
 */
final class EarlyFrames extends ChannelInboundHandlerAdapter {
    static final String NAME = "terminal-early";

    /** From here on the client is not read; what one read of the network has brought already still comes. */
    static final int ENOUGH_BYTES = 256 * 1024;

    /** What a frame takes beside its bytes: small and empty ones are not for free. */
    static final int FRAME_COST = 256;

    private final ArrayDeque<WebSocketFrame> kept = new ArrayDeque<>();
    private int bytes;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        switch (message) {
            case WebSocketFrame frame -> keep(context, frame);
            case ByteBuf tooEarly -> cutOff(context, tooEarly);
            default -> context.fireChannelRead(message);
        }
    }

    /** Sent behind the request, before the answer to it (RFC 6455, section 4.1): the reader of requests leaves it. */
    private static void cutOff(ChannelHandlerContext context, ByteBuf tooEarly) {
        tooEarly.release();
        context.close();
    }

    private void keep(ChannelHandlerContext context, WebSocketFrame frame) {
        kept.add(frame);
        bytes += FRAME_COST + frame.content().readableBytes();
        if (bytes >= ENOUGH_BYTES) {
            // Each time anew: the framework reads on by itself when it has opened the WebSocket.
            context.channel().config().setAutoRead(false);
        }
    }

    /** Gives its place, and what it has kept, to the reader, which may hold the client back itself. On the network's thread. */
    void makeWayFor(ChannelInboundHandlerAdapter reader, ChannelHandlerContext place) throws Exception {
        place.pipeline().replace(this, "terminal-frames", reader);
        var at = place.pipeline().context(reader);
        place.channel().config().setAutoRead(true);
        try {
            while (!kept.isEmpty() && at != null) {
                reader.channelRead(at, kept.remove());
            }
        } finally {
            free();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        free();
        context.fireChannelInactive();
    }

    /** What is too large, or no WebSocket frame at all, ends the connection. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    private void free() {
        kept.forEach(ReferenceCountUtil::release);
        kept.clear();
    }
}
