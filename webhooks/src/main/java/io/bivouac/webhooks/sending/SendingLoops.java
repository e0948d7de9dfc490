package io.bivouac.webhooks.sending;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;

/** The threads that send. An endpoint belongs to one of them, so nothing about it needs a lock. */
@Singleton
public class SendingLoops {
    private static final int LOOPS = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
            LOOPS, new DefaultThreadFactory("webhook-sending", true), NioIoHandler.newFactory());

    public EventLoop next() {
        return (EventLoop) group.next();
    }

    @PreDestroy
    void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
