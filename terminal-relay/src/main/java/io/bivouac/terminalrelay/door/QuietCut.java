package io.bivouac.terminalrelay.door;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import jakarta.inject.Singleton;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the connection of a client that is cut off just while its WebSocket is opened: at that moment neither the
 * reader of HTTP requests nor that of frames is there, and the network's library would warn of it with a stack trace.
 */
@Singleton
class QuietCut implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private static final Logger LOG = LoggerFactory.getLogger(QuietCut.class);

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        event.getBean().register(new Last(null));
        return event.getBean();
    }

    /** @param channel one client's; null before there is any */
    private record Last(@Nullable Channel channel) implements NettyServerCustomizer {
        @Override
        public NettyServerCustomizer specializeForChannel(Channel made, ChannelRole role) {
            return new Last(made);
        }

        @Override
        public void onStreamPipelineBuilt() {
            channel.pipeline().addLast(new Closing());
        }
    }

    static final class Closing extends ChannelInboundHandlerAdapter {
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
}
