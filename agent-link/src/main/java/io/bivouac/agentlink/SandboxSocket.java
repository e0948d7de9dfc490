package io.bivouac.agentlink;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Takes the connections at the socket of one sandbox. While the sandbox has as many as it may, or had as many within a
 * second, no more are taken: they wait with the kernel, where they cost the relay nothing and keep nobody else's from
 * being taken. Thread-safe.
 */
final class SandboxSocket extends ChannelInboundHandlerAdapter {
    private final Channel listening;
    private final AcceptGuard guard;
    private final AgentMetrics metrics;
    private int open;
    private int lately;
    private boolean paused;

    SandboxSocket(Channel listening, AcceptGuard guard, AgentMetrics metrics) {
        this.listening = listening;
        this.guard = guard;
        this.metrics = metrics;
    }

    @Override
    public synchronized void channelRead(ChannelHandlerContext context, Object message) {
        var accepted = (Channel) message;
        lately++;
        if (lately == 1) {
            context.executor().schedule(this::secondIsOver, 1, TimeUnit.SECONDS);
        }
        if (guard.passes(accepted)) {
            open++;
            accepted.closeFuture().addListener(_ -> oneLess());
        }
        look();
    }

    private synchronized void oneLess() {
        open--;
        look();
    }

    private synchronized void secondIsOver() {
        lately = 0;
        look();
    }

    private void look() {
        boolean full = open >= Bounds.CONNECTIONS_OF_A_SANDBOX || lately >= Bounds.CONNECTIONS_A_SECOND;
        if (full != paused) {
            paused = full;
            if (full) {
                metrics.connectionsWait();
            }
            listening.config().setAutoRead(!full);
        }
    }
}
