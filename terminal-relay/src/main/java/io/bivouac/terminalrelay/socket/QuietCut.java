package io.bivouac.terminalrelay.socket;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the connection of a client that is cut off just while its WebSocket is opened: at that moment neither the
 * reader of HTTP requests nor that of frames is there, and the network's library would warn of it with a stack trace.
 */
final class QuietCut extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(QuietCut.class);

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("A client was cut off: {}", cause.getMessage());
            context.close();
        } else {
            context.fireExceptionCaught(cause);
        }
    }
}
