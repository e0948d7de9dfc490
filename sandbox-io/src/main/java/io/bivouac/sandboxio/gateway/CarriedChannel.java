package io.bivouac.sandboxio.gateway;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.bivouac.agentlink.PortStream;
import io.micronaut.core.annotation.Nullable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * A connection that an agent carries, as a channel of Netty: codecs and handlers work on it as on a socket. It becomes
 * active when the agent has connected. Its bytes are held back at both ends: {@link #AHEAD} pieces are asked for ahead
 * of a read, and writes wait while the agent takes none. Confined to its event loop, but for the listener's methods.
 */
final class CarriedChannel extends AbstractChannel implements PortStream.Listener {
    /** Pieces of at most 64 KiB that may be here before somebody reads them. */
    static final int AHEAD = 4;

    private static final ChannelMetadata METADATA = new ChannelMetadata(false);
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(128 * 1024, 256 * 1024);

    private final Target target;
    private final DefaultChannelConfig config = new DefaultChannelConfig(this);
    private final CompletableFuture<CarriedChannel> connected = new CompletableFuture<>();
    private final Queue<ByteString> arrived = new ArrayDeque<>();
    private volatile boolean open = true;
    private @Nullable PortStream stream;
    private boolean active;
    private boolean refused;
    private boolean readPending;
    private boolean programEnded;
    private boolean endTold;
    private boolean halfClosing;

    CarriedChannel(Target target) {
        super(null);
        this.target = target;
        config.setAutoRead(false);
        config.setWriteBufferWaterMark(WATER_MARK);
    }

    Target target() {
        return target;
    }

    /** Completes on the event loop when the agent has connected, or with the reason why it has not. */
    CompletableFuture<CarriedChannel> connected() {
        return connected;
    }

    /** Whether something came that nobody has read: no idle connection of an honest server has that. */
    boolean hasUnread() {
        return !arrived.isEmpty() || programEnded;
    }

    /** From here on the program's end is told as {@link ChannelInputShutdownEvent} and does not close the channel. */
    void keepOpenAtEnd() {
        halfClosing = true;
        deliver();
    }

    /** Tells the program that nothing more comes, after what was written so far. */
    void endOutput() {
        writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> {
            if (stream != null) {
                stream.end();
            }
        });
    }

    // ---- told by the agent, on its threads --------------------------------------------------------------

    @Override
    public void opened(PortStream opened, boolean refused) {
        eventLoop().execute(() -> {
            if (!open) {
                opened.close();
                return;
            }
            stream = opened;
            opened.request(AHEAD);
            this.refused = refused;
            if (!refused) {
                active = true;
                pipeline().fireChannelActive();
                connected.complete(this);
            }
        });
    }

    @Override
    public void data(ByteString bytes) {
        eventLoop().execute(() -> {
            if (open) {
                arrived.add(bytes);
                deliver();
            }
        });
    }

    @Override
    public void ended() {
        eventLoop().execute(() -> {
            programEnded = true;
            deliver();
        });
    }

    @Override
    public void failed(String why) {
        eventLoop().execute(() -> {
            if (!connected.isDone()) {
                connected.completeExceptionally(new IOException(why));
            } else if (open) {
                pipeline().fireExceptionCaught(new IOException(why));
            }
            close();
        });
    }

    @Override
    public void writable() {
        eventLoop().execute(() -> {
            if (active && open) {
                unsafe().flush();
            }
        });
    }

    private void deliver() {
        if (readPending && !arrived.isEmpty()) {
            readPending = false;
            int taken = 0;
            for (var piece = arrived.poll(); piece != null; piece = arrived.poll()) {
                taken++;
                pipeline().fireChannelRead(Unpooled.wrappedBuffer(piece.asReadOnlyByteBuffer()));
            }
            pipeline().fireChannelReadComplete();
            if (stream != null) {
                stream.request(taken);
            }
        }
        if (programEnded && arrived.isEmpty() && !endTold && open && !refused) {
            endTold = true;
            if (halfClosing) {
                pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
            } else {
                close();
            }
        }
    }

    // ---- asked by Netty, on the event loop --------------------------------------------------------------

    @Override
    protected void doBeginRead() {
        readPending = true;
        if (!arrived.isEmpty() || programEnded) {
            // Not at once: whoever reads from within a read would otherwise be called within himself.
            eventLoop().execute(this::deliver);
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer out) {
        while (stream != null) {
            var next = (ByteBuf) out.current();
            while (next != null && !next.isReadable()) {
                out.remove();
                next = (ByteBuf) out.current();
            }
            if (next == null || !stream.isReady()) {
                return;
            }
            stream.write(piece(out));
        }
    }

    /**
     * The next bytes, of several buffers where these are small. An empty buffer ends them: whoever wrote it waits for
     * what comes before it to be sent.
     */
    private static ByteString piece(ChannelOutboundBuffer out) {
        var bytes = new byte[(int) Math.min(PortStream.LARGEST_WRITE, out.totalPendingWriteBytes())];
        int size = 0;
        var next = (ByteBuf) out.current();
        while (next != null && next.isReadable() && size < bytes.length) {
            int count = Math.min(next.readableBytes(), bytes.length - size);
            next.readBytes(bytes, size, count);
            size += count;
            out.progress(count);
            if (!next.isReadable()) {
                out.remove();
                next = (ByteBuf) out.current();
            }
        }
        return UnsafeByteOperations.unsafeWrap(bytes, 0, size);
    }

    @Override
    protected void doClose() {
        open = false;
        active = false;
        arrived.clear();
        if (stream != null) {
            stream.close();
        }
        if (!connected.isDone()) {
            connected.completeExceptionally(new IOException("The connection was closed."));
        }
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof ByteBuf) {
            return message;
        }
        throw new UnsupportedOperationException("cannot be sent: " + message.getClass());
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new AbstractUnsafe() {
            @Override
            public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
                promise.setFailure(new UnsupportedOperationException("the agent connects"));
            }
        };
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true;
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return null;
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return null;
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return active && open;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }
}
