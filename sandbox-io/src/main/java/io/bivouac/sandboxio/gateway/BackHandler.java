package io.bivouac.sandboxio.gateway;

import io.micronaut.core.annotation.Nullable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/** Gives what comes on a connection to a program to the exchange that the connection serves. */
final class BackHandler extends ChannelInboundHandlerAdapter {
    private @Nullable Exchange exchange;

    static BackHandler of(CarriedChannel connection) {
        return connection.pipeline().get(BackHandler.class);
    }

    /** @param next null while the connection is idle */
    void serve(@Nullable Exchange next) {
        exchange = next;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
        if (exchange != null) {
            exchange.responsePart(part);
        } else {
            // Nobody asked: whatever it is, it must not be taken for the next answer.
            ReferenceCountUtil.release(part);
            context.close();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (exchange != null) {
            exchange.responseRead();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (exchange != null && context.channel().isWritable()) {
            exchange.backWritable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (exchange != null) {
            exchange.broken(String.valueOf(cause.getMessage()));
        }
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (exchange != null) {
            exchange.broken("it closed the connection");
        }
    }
}
