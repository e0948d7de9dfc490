package io.bivouac.terminalrelay.door;

import io.bivouac.terminalrelay.terminal.ClientFrames;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.micronaut.http.server.netty.websocket.NettyServerWebSocketUpgradeHandler;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketServerCompressionHandler;
import jakarta.inject.Singleton;

/**
 * Bounds what a compressed frame may unpack to. The framework's own handler bounds nothing: a frame of the largest
 * size could unpack to a thousand times that.
 */
@Singleton
class BoundedCompression implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private static final String HANDLER = NettyServerWebSocketUpgradeHandler.COMPRESSION_HANDLER;

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        event.getBean().register(new Replacement(null));
        return event.getBean();
    }

    /** @param channel one client's; null before there is any */
    private record Replacement(@Nullable Channel channel) implements NettyServerCustomizer {
        @Override
        public NettyServerCustomizer specializeForChannel(Channel made, ChannelRole role) {
            return new Replacement(made);
        }

        @Override
        public void onStreamPipelineBuilt() {
            if (channel.pipeline().get(HANDLER) != null) {
                channel.pipeline()
                        .replace(HANDLER, HANDLER, new WebSocketServerCompressionHandler(ClientFrames.LARGEST));
            }
        }
    }
}
