package io.bivouac.agentlink;

import io.micronaut.core.annotation.Nullable;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds connections from their accept on: those of one sandbox, so that none takes the relay's descriptors or its
 * memory, and all together. It stands before whatever else handles an accepted connection. At the sockets of sandboxes
 * each {@link SandboxSocket} bounds its own; here they are counted with all.
 */
final class AcceptGuard extends ChannelInboundHandlerAdapter {
    private final int most;
    private final LocalPeers peers = new LocalPeers();
    private final AgentMetrics metrics;
    private final AtomicInteger open = new AtomicInteger();
    private final Map<Integer, Integer> bySandbox = new ConcurrentHashMap<>();
    private @Nullable ChannelHandlerContext local;

    AcceptGuard(int most, AgentMetrics metrics) {
        this.most = most;
        this.metrics = metrics;
    }

    @Override
    public boolean isSharable() {
        return true;
    }

    /** Connections at the sockets of sandboxes are handled as those that this channel accepts. */
    void handlesLocal(Channel listening) {
        local = listening.pipeline().context(this);
    }

    /** Hands on what came by the socket of a sandbox; false when it was refused. Called by the accepting thread. */
    boolean passes(Channel accepted) {
        if (open.get() >= most) {
            refuse(accepted, "all");
            return false;
        }
        open.incrementAndGet();
        accepted.closeFuture().addListener(_ -> open.decrementAndGet());
        local.fireChannelRead(accepted);
        return true;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        var accepted = (Channel) message;
        int sandbox = sandboxOf(accepted);
        if (open.get() >= most) {
            refuse(accepted, "all");
        } else if (sandbox == LocalPeers.UNKNOWN) {
            refuse(accepted, "unknown");
        } else if (sandbox != LocalPeers.NO_SANDBOX && !hasRoom(sandbox)) {
            refuse(accepted, "sandbox");
        } else {
            open.incrementAndGet();
            accepted.closeFuture().addListener(_ -> closed(sandbox));
            context.fireChannelRead(message);
        }
    }

    /** The kernel says which process connected. */
    private int sandboxOf(Channel accepted) {
        try {
            return accepted instanceof EpollDomainSocketChannel local
                    ? peers.sandboxOf(local.peerCredentials().pid())
                    : LocalPeers.NO_SANDBOX;
        } catch (IOException gone) {
            return LocalPeers.UNKNOWN;
        }
    }

    private boolean hasRoom(int sandbox) {
        boolean[] room = new boolean[1];
        bySandbox.compute(sandbox, (_, present) -> {
            int before = present == null ? 0 : present;
            room[0] = before < Bounds.CONNECTIONS_OF_A_SANDBOX;
            return room[0] ? before + 1 : present;
        });
        return room[0];
    }

    private void closed(int sandbox) {
        open.decrementAndGet();
        if (sandbox != LocalPeers.NO_SANDBOX) {
            bySandbox.computeIfPresent(sandbox, (_, before) -> before == 1 ? null : before - 1);
        }
    }

    private void refuse(Channel accepted, String bound) {
        metrics.connectionRefused(bound);
        accepted.unsafe().closeForcibly();
    }
}
