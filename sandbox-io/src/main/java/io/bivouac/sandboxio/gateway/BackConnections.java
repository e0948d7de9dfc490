package io.bivouac.sandboxio.gateway;

import io.bivouac.agentlink.AgentConnections;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.util.concurrent.FastThreadLocal;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Connections to ports of sandboxes: opened through their agents, kept for the next request while they are idle, and
 * bounded for each sandbox. Each event loop keeps its own, so nothing is locked but the count. Thread-safe.
 */
@Singleton
class BackConnections {
    static final int LARGEST_LINE = 16 * 1024;
    static final int LARGEST_HEAD = 64 * 1024;
    static final int LARGEST_CHUNK = 64 * 1024;
    static final String CODEC = "codec";

    private final AgentConnections agents;
    private final int most;
    private final Map<SandboxId, Integer> open = new ConcurrentHashMap<>();
    private final FastThreadLocal<IdleConnections> idle = new FastThreadLocal<>() {
        @Override
        protected IdleConnections initialValue() {
            return new IdleConnections();
        }
    };

    BackConnections(AgentConnections agents, GatewaySettings settings) {
        this.agents = agents;
        this.most = settings.connectionsPerSandbox();
    }

    /** All that are open, idle ones included. */
    int size() {
        return open.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** An idle connection to the target that still stands; null when there is none. Called on the loop. */
    CarriedChannel idle(Target target) {
        return idle.get().take(target);
    }

    /** Keeps a connection for the next request. Called on its loop. */
    void release(CarriedChannel connection) {
        idle.get().add(connection);
    }

    /**
     * Opens a connection on the loop that calls. What comes of it is told there, later or at once.
     *
     * @param http whether requests are written to it, rather than bytes
     */
    CompletableFuture<CarriedChannel> open(Target target, EventLoop loop, boolean http) {
        if (!take(target.sandbox())) {
            var refusal = new BivouacException(
                    ErrorCode.PORT_LIMIT_EXCEEDED,
                    "The ports of sandbox " + target.sandbox() + " have " + most + " connections, which is the limit.");
            return CompletableFuture.failedFuture(refusal);
        }
        var channel = new CarriedChannel(target);
        channel.closeFuture().addListener(_ -> give(target.sandbox()));
        loop.register(channel);
        if (http) {
            channel.pipeline().addLast(CODEC, new HttpClientCodec(strict(), false, false));
        }
        order(channel, loop);
        return channel.connected()
                .exceptionallyCompose(failed -> CompletableFuture.failedFuture(reason(target, failed)));
    }

    static HttpDecoderConfig strict() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(LARGEST_LINE)
                .setMaxHeaderSize(LARGEST_HEAD)
                .setMaxChunkSize(LARGEST_CHUNK)
                .setAllowDuplicateContentLengths(false);
    }

    /** An agent that is connected here is asked at once; one that may be elsewhere is looked for on another thread. */
    private void order(CarriedChannel channel, EventLoop loop) {
        var here = agents.find(channel.target().sandbox());
        if (here.isPresent()) {
            attempt(channel, loop, made -> here.get().openPort(channel.target().port(), made));
        } else {
            Thread.ofVirtual()
                    .name("gateway-agent")
                    .start(() -> attempt(
                            channel,
                            loop,
                            made -> agents.get(channel.target().sandbox())
                                    .openPort(channel.target().port(), made)));
        }
    }

    private static void attempt(CarriedChannel channel, EventLoop loop, Consumer<CarriedChannel> order) {
        try {
            order.accept(channel);
        } catch (RuntimeException refused) {
            loop.execute(() -> {
                channel.connected().completeExceptionally(refused);
                channel.close();
            });
        }
    }

    private static Throwable reason(Target target, Throwable failed) {
        var cause = failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
        return cause instanceof IOException
                ? new BivouacException(
                        ErrorCode.PORT_UNREACHABLE,
                        "No program answers on port " + target.port() + " of sandbox " + target.sandbox() + " ("
                                + cause.getMessage() + ").")
                : cause;
    }

    private boolean take(SandboxId sandbox) {
        if (counted(sandbox)) {
            return true;
        }
        // An idle connection makes room for one that is needed.
        return idle.get().closeOneOf(sandbox) && counted(sandbox);
    }

    private boolean counted(SandboxId sandbox) {
        var taken = new boolean[1];
        open.compute(sandbox, (_, count) -> {
            int now = count == null ? 0 : count;
            taken[0] = now < most;
            return taken[0] ? (Integer) (now + 1) : count;
        });
        return taken[0];
    }

    private void give(SandboxId sandbox) {
        open.computeIfPresent(sandbox, (_, count) -> count == 1 ? null : count - 1);
    }
}
