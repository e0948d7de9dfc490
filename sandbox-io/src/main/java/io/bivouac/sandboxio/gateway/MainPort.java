package io.bivouac.sandboxio.gateway;

import io.bivouac.http.connection.HttpConnection;
import io.bivouac.sandboxio.gateway.ResponseHead.Door;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslHandler;
import jakarta.inject.Singleton;

/** Puts the gateway before the framework's handler on each connection to the main port. */
@Singleton
class MainPort implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private final BeanProvider<Gateway> gateway;

    /** @param gateway asked for late: at the first connection */
    MainPort(BeanProvider<Gateway> gateway) {
        this.gateway = gateway;
    }

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        event.getBean().register(new Customizer(gateway, null));
        return event.getBean();
    }

    /** @param channel one client's; null before there is any */
    private record Customizer(
            BeanProvider<Gateway> gateway, @Nullable Channel channel) implements NettyServerCustomizer {
        @Override
        public NettyServerCustomizer specializeForChannel(Channel made, ChannelRole role) {
            return new Customizer(gateway, made);
        }

        @Override
        public void onStreamPipelineBuilt() {
            var codec = channel.pipeline().context(HttpServerCodec.class);
            if (codec != null) {
                boolean tls = channel.pipeline().get(SslHandler.class) != null;
                var counting = channel.pipeline().context(HttpConnection.class);
                channel.pipeline()
                        .addAfter(
                                (counting == null ? codec : counting).name(),
                                "gateway",
                                new FrontHandler(gateway.get(), Door.MAIN, tls));
            }
        }
    }
}
