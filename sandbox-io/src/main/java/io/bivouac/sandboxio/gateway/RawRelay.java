package io.bivouac.sandboxio.gateway;

import io.micronaut.core.annotation.Nullable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Passes the bytes of one connection on to the other as they are, no faster than that one takes them. Each side may
 * stop sending and still listen. Confined to the event loop that both share.
 */
final class RawRelay extends ChannelInboundHandlerAdapter {
    /** How long one side may say nothing after the other has said all. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);

    private final Channel peer;
    private final Runnable moved;
    private boolean ended;
    private long movedAt;

    private RawRelay(Channel peer, Runnable moved) {
        this.peer = peer;
        this.moved = moved;
    }

    /**
     * @param front the client's handler, in whose place the relay is put; the codecs before it go
     * @param moved told whenever bytes pass
     */
    static void join(ChannelHandlerContext front, CarriedChannel back, Runnable moved) {
        var channel = front.channel();
        channel.config().setAutoRead(false);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        back.pipeline().addLast(new RawRelay(channel, moved));
        if (back.pipeline().get(BackHandler.class) != null) {
            back.pipeline().remove(BackHandler.class);
        }
        var pipeline = channel.pipeline();
        pipeline.addBefore(front.name(), "raw-relay", new RawRelay(back, moved));
        for (var handler : before(front)) {
            pipeline.remove(handler);
        }
        back.keepOpenAtEnd();
        channel.read();
        back.read();
    }

    private static ArrayList<ChannelHandler> before(ChannelHandlerContext front) {
        var before = new ArrayList<ChannelHandler>();
        for (var entry : front.pipeline()) {
            if (entry.getKey().equals("raw-relay")) {
                break;
            }
            if (!(entry.getValue() instanceof SslHandler)) {
                before.add(entry.getValue());
            }
        }
        return before;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (bytes instanceof ByteBuf) {
            movedAt = System.nanoTime();
            peer.write(bytes);
        } else {
            // What a codec still said when it was removed.
            ReferenceCountUtil.release(bytes);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        moved.run();
        peer.flush();
        if (peer.isWritable()) {
            readOn(context.channel(), this);
        }
    }

    /** Not from one that has said all: a socket whose input is closed cannot be asked for more. */
    private static void readOn(Channel channel, @Nullable RawRelay relay) {
        if (relay != null && !relay.ended) {
            channel.read();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            readOn(peer, peer.pipeline().get(RawRelay.class));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && !ended) {
            ended = true;
            endPeer();
            var other = peer.pipeline().get(RawRelay.class);
            if (other == null || other.ended) {
                context.close();
            } else {
                other.movedAt = System.nanoTime();
                closeWhenSilent(context, other);
            }
        }
    }

    private static void closeWhenSilent(ChannelHandlerContext context, RawRelay other) {
        long left = other.movedAt + LONGEST_SILENCE.toNanos() - System.nanoTime();
        if (left <= 0) {
            context.close();
        } else {
            var look = context.executor().schedule(() -> closeWhenSilent(context, other), left, TimeUnit.NANOSECONDS);
            context.channel().closeFuture().addListener(_ -> look.cancel(false));
        }
    }

    private void endPeer() {
        if (peer instanceof CarriedChannel carried) {
            carried.endOutput();
        } else if (peer instanceof DuplexChannel socket && peer.pipeline().get(SslHandler.class) == null) {
            peer.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> socket.shutdownOutput());
        } else {
            closePeer();
        }
    }

    private void closePeer() {
        peer.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closePeer();
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
