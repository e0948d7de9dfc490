package io.bivouac.http.connection;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpServerCodec;
import jakarta.inject.Singleton;

/** Has every connection to the main port counted, and its requests seen. */
@Singleton
class ConnectionPipeline implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private final ConnectionCount count;

    ConnectionPipeline(ConnectionCount count) {
        this.count = count;
    }

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        event.getBean().register(new Customizer(count, null, null));
        return event.getBean();
    }

    /**
     * @param channel one client's; null before there is any
     * @param connection the same
     */
    private record Customizer(
            ConnectionCount count,
            @Nullable Channel channel,
            @Nullable HttpConnection connection) implements NettyServerCustomizer {
        @Override
        public NettyServerCustomizer specializeForChannel(Channel made, ChannelRole role) {
            return role == ChannelRole.CONNECTION ? new Customizer(count, made, count.open(made)) : this;
        }

        @Override
        public void onStreamPipelineBuilt() {
            var codec = channel == null ? null : channel.pipeline().context(HttpServerCodec.class);
            if (codec != null) {
                channel.pipeline().addAfter(codec.name(), "connection", connection);
            }
        }
    }
}
