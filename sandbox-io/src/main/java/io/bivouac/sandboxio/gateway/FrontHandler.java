package io.bivouac.sandboxio.gateway;

import io.bivouac.http.connection.HttpConnection;
import io.bivouac.sandboxio.gateway.RequestHead.Origin;
import io.bivouac.sandboxio.gateway.ResponseHead.Door;
import io.micronaut.core.annotation.Nullable;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A client's connection: serves its requests one after the other. At the main port it stands before the framework's
 * handler and passes on what is not for a sandbox. Confined to its event loop.
 */
final class FrontHandler extends ChannelDuplexHandler {
    private final Gateway gateway;
    private final Door door;
    private final boolean tls;
    private final Deque<HttpObject> held = new ArrayDeque<>();
    private ChannelHandlerContext context;
    private @Nullable Exchange exchange;
    private boolean passing;
    private int elsewhere;
    private boolean readWanted;
    private boolean autoRead;
    private boolean watching;

    FrontHandler(Gateway gateway, Door door, boolean tls) {
        this.gateway = gateway;
        this.door = door;
        this.tls = tls;
    }

    Door door() {
        return door;
    }

    String scheme() {
        return tls ? "https" : gateway.addresses().scheme(door);
    }

    Origin origin() {
        var client = context.channel().remoteAddress() instanceof InetSocketAddress address
                ? address.getAddress().getHostAddress()
                : "unknown";
        return new Origin(client, scheme(), door == Door.GATEWAY);
    }

    EventLoop loop() {
        return context.channel().eventLoop();
    }

    /** The client may pass, so its connection is no stranger's any more. */
    void prove() {
        HttpConnection.prove(context.channel());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        if (door == Door.GATEWAY) {
            added.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        active.fireChannelActive();
        if (door == Door.GATEWAY) {
            active.read();
        }
    }

    // ---- requests ---------------------------------------------------------------------------------------

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        watching = false;
        if (!(message instanceof HttpObject part)) {
            reading.fireChannelRead(message);
        } else if (exchange != null && !exchange.isRequestComplete()) {
            take(part);
        } else if (exchange != null || !held.isEmpty()) {
            held.add(part);
        } else {
            begin(part);
        }
    }

    private void take(HttpObject part) {
        if (part instanceof HttpContent content) {
            exchange.requestPart(content);
        } else {
            ReferenceCountUtil.release(part);
        }
    }

    private void begin(HttpObject part) {
        if (passing || !(part instanceof HttpRequest request) || !isOurs(request)) {
            pass(part);
        } else if (elsewhere > 0) {
            // The framework has not answered the requests before this one.
            held.add(part);
            holdReads();
        } else {
            holdReads();
            exchange = new Exchange(gateway, this, request);
            exchange.start();
            if (part instanceof HttpContent content && exchange != null) {
                exchange.requestPart(content);
            }
        }
    }

    /** Whoever reads by themselves would read more than the two sides take. */
    private void holdReads() {
        var config = context.channel().config();
        if (config.isAutoRead()) {
            autoRead = true;
            config.setAutoRead(false);
        }
    }

    private boolean isOurs(HttpRequest request) {
        return door == Door.GATEWAY || request.uri().startsWith(Route.START);
    }

    private void pass(HttpObject part) {
        if (door == Door.GATEWAY) {
            // The rest of a request that was answered already.
            ReferenceCountUtil.release(part);
            return;
        }
        if (part instanceof HttpRequest) {
            passing = true;
            elsewhere++;
        }
        if (part instanceof LastHttpContent) {
            passing = false;
        }
        context.fireChannelRead(part);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext reading) {
        if (exchange != null) {
            exchange.requestRead();
        } else if (door == Door.GATEWAY && held.isEmpty()) {
            reading.read();
        }
        reading.fireChannelReadComplete();
    }

    @Override
    public void read(ChannelHandlerContext asked) {
        if (exchange != null || !held.isEmpty()) {
            readWanted = true;
        } else {
            asked.read();
        }
    }

    void read() {
        context.read();
    }

    /** One read beyond the request, so that a client that leaves is noticed. */
    void watch() {
        if (!watching && held.isEmpty()) {
            watching = true;
            context.read();
        }
    }

    // ---- responses --------------------------------------------------------------------------------------

    @Override
    public void write(ChannelHandlerContext writing, Object message, ChannelPromise promise) {
        if (message instanceof LastHttpContent && !isInformation(message)) {
            elsewhere--;
            writing.write(message, promise);
            if (elsewhere == 0 && !held.isEmpty() && exchange == null) {
                loop().execute(this::beginHeld);
            }
        } else {
            writing.write(message, promise);
        }
    }

    private static boolean isInformation(Object message) {
        return message instanceof HttpResponse response && response.status().code() < 200;
    }

    void write(HttpObject part) {
        context.write(part, context.voidPromise());
    }

    void flush() {
        context.flush();
    }

    boolean isWritable() {
        return context.channel().isWritable();
    }

    /** Passes an interim response on. */
    void inform(HttpResponse head) {
        context.writeAndFlush(whole(head));
    }

    private static DefaultFullHttpResponse whole(HttpResponse head) {
        return new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                head.status(),
                Unpooled.EMPTY_BUFFER,
                new DefaultHttpHeaders().set(head.headers()),
                EmptyHttpHeaders.INSTANCE);
    }

    /** The response is written; another request may follow. */
    void done(boolean keep) {
        exchange = null;
        if (!keep) {
            close();
            return;
        }
        if (!held.isEmpty()) {
            loop().execute(this::beginHeld);
            return;
        }
        nextRequest();
    }

    private void beginHeld() {
        while (!held.isEmpty()
                && (exchange == null || !exchange.isRequestComplete())
                && context.channel().isActive()) {
            var next = held.poll();
            if (exchange != null) {
                take(next);
            } else if (next instanceof HttpRequest && elsewhere > 0) {
                held.addFirst(next);
                return;
            } else {
                begin(next);
            }
        }
        if (exchange == null && held.isEmpty()) {
            nextRequest();
        }
    }

    private void nextRequest() {
        if (door == Door.GATEWAY) {
            watch();
            return;
        }
        boolean wanted = readWanted || watching;
        readWanted = false;
        if (autoRead) {
            autoRead = false;
            context.channel().config().setAutoRead(true);
        } else if (wanted) {
            context.read();
        }
    }

    void close() {
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Ends the connection so that nobody takes what came so far for all. */
    void cut() {
        context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        context.close();
    }

    /** Leaves HTTP: after this head, bytes are passed on as they are. */
    void upgrade(HttpResponse head, CarriedChannel connection) {
        context.writeAndFlush(whole(head));
        exchange = null;
        RawRelay.join(
                context, connection, () -> gateway.moved(connection.target().sandbox()));
        held.forEach(ReferenceCountUtil::release);
        held.clear();
    }

    // ---- the connection ---------------------------------------------------------------------------------

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (exchange != null && changed.channel().isWritable()) {
            exchange.frontWritable();
        }
        changed.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext told, Object event) {
        if (door == Door.GATEWAY && event instanceof IdleStateEvent && exchange == null) {
            told.close();
        } else {
            told.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext gone) {
        if (exchange != null) {
            exchange.abandon();
            exchange = null;
        }
        held.forEach(ReferenceCountUtil::release);
        held.clear();
        gone.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failing, Throwable cause) {
        if (door == Door.GATEWAY || exchange != null) {
            failing.close();
        } else {
            failing.fireExceptionCaught(cause);
        }
    }
}
