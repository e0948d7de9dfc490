package io.bivouac.terminalrelay.socket;

import io.bivouac.terminalrelay.terminal.ClientFrames;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.micronaut.http.server.netty.websocket.NettyServerWebSocketUpgradeHandler;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketServerCompressionHandler;
import jakarta.inject.Singleton;

/** What the framework's own way of handling a client's connection lacks. */
@Singleton
class ClientPipeline implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private static final String COMPRESSION = NettyServerWebSocketUpgradeHandler.COMPRESSION_HANDLER;

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        event.getBean().register(new Customizer(null));
        return event.getBean();
    }

    /** @param channel one client's; null before there is any */
    private record Customizer(@Nullable Channel channel) implements NettyServerCustomizer {
        @Override
        public NettyServerCustomizer specializeForChannel(Channel made, ChannelRole role) {
            return new Customizer(made);
        }

        @Override
        public void onStreamPipelineBuilt() {
            boundCompression();
            channel.pipeline().addLast(new QuietCut());
        }

        /**
         * What a compressed frame may unpack to. The framework's own handler bounds nothing: a frame of the largest
         * size could unpack to a thousand times that.
         */
        private void boundCompression() {
            if (channel.pipeline().get(COMPRESSION) != null) {
                channel.pipeline()
                        .replace(COMPRESSION, COMPRESSION, new WebSocketServerCompressionHandler(ClientFrames.LARGEST));
            }
        }
    }
}
