package io.bivouac.http.connection;

import io.bivouac.http.connection.HttpConnections.Reason;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * One connection of a client, and what it is doing; stands directly behind the HTTP codec. Confined to the
 * connection's event loop, except where a method says otherwise.
 */
public final class HttpConnection extends ChannelDuplexHandler {
    private static final AttributeKey<HttpConnection> KEY = AttributeKey.valueOf(HttpConnection.class, "connection");
    private static final int FIRST_FINAL_STATUS = 200;

    private final Channel channel;
    private final HttpConnections connections;
    private final @Nullable InetAddress address;
    private final Duration requestTimeout;
    private volatile boolean proven;

    /** Requests of which the head has come, of which the end has come, and which are answered. */
    private long begun;

    private long whole;
    private long answered;

    private @Nullable Future<?> deadline;

    /** Bytes not sent at the last look, and since when they have not become fewer; for the thread that looks. */
    private long unsent;

    private long stalledSince;

    /** @param address whose connections are counted; null when they are not */
    HttpConnection(
            Channel channel, HttpConnections connections, @Nullable InetAddress address, Duration requestTimeout) {
        this.channel = channel;
        this.connections = connections;
        this.address = address;
        this.requestTimeout = requestTimeout;
    }

    /** Counts it from its accept on; closes it, or another, when there are too many. */
    void open() {
        channel.attr(KEY).set(this);
        expectRequest();
        connections.add(this);
        channel.closeFuture().addListener(_ -> {
            expectNothing();
            connections.closed(this);
        });
    }

    /** Somebody has logged in by this request, so its connection is no stranger's any more. On any thread. */
    public static void prove(HttpRequest<?> request) {
        if (request instanceof NettyHttpRequest<?> netty) {
            prove(netty.getChannelHandlerContext().channel());
        }
    }

    /** The same for a request that the framework does not see. On any thread. */
    public static void prove(Channel channel) {
        var connection = channel.attr(KEY).get();
        if (connection != null && !connection.proven) {
            connection.proven = true;
            connection.connections.works(connection);
        }
    }

    /**
     * The request, with the next task of its connection. The framework makes an answer of what an executor throws, such
     * as a refusal by {@code SharedThreads}, only where a filter before was not over at once; else it is a 500.
     */
    public static CompletionStage<HttpRequest<?>> later(HttpRequest<?> request) {
        var later = new CompletableFuture<HttpRequest<?>>();
        if (request instanceof NettyHttpRequest<?> netty) {
            var task = PropagatedContext.wrapCurrent(() -> {
                later.complete(request);
            });
            netty.getChannelHandlerContext().channel().eventLoop().execute(task);
        } else {
            later.complete(request);
        }
        return later;
    }

    @Nullable InetAddress address() {
        return address;
    }

    /** On any thread. */
    void close() {
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof io.netty.handler.codec.http.HttpRequest) {
            begun++;
            if (proven) {
                connections.works(this);
            } else if (deadline == null) {
                expectRequest();
            }
        }
        if (message instanceof LastHttpContent) {
            whole++;
            expectNothing();
            // A request that is refused by its head alone is answered before it is whole.
            if (answered < begun) {
                connections.works(this);
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean interim = message instanceof HttpResponse head && head.status().code() < FIRST_FINAL_STATUS;
        if (message instanceof LastHttpContent && !interim) {
            answered++;
            if (answered >= begun) {
                connections.waits(this, proven);
            }
        }
        context.write(message, promise);
    }

    /** A stranger's request, begun or yet to begin, has to be whole in time. */
    private void expectRequest() {
        long expected = Math.max(1, begun);
        deadline = channel.eventLoop()
                .schedule(
                        () -> {
                            deadline = null;
                            if (!proven && whole < expected) {
                                connections.close(this, Reason.SILENT);
                            }
                        },
                        requestTimeout.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /** Without this, the timers of closed connections would keep them in memory. */
    private void expectNothing() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    /** Gives the bytes that wait for the client to read. For one thread, which looks now and then. */
    long lookAtUnsent(long now) {
        var buffer = channel.unsafe().outboundBuffer();
        long before = unsent;
        unsent = buffer == null ? 0 : buffer.totalPendingWriteBytes();
        if (unsent == 0 || unsent < before || before == 0) {
            stalledSince = now;
        }
        return unsent;
    }

    long unsent() {
        return unsent;
    }

    long stalledSince() {
        return stalledSince;
    }
}
