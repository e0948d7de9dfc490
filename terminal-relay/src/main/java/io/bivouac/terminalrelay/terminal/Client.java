package io.bivouac.terminalrelay.terminal;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The other end of a WebSocket. Thread-safe. */
public final class Client {
    private static final Logger LOG = LoggerFactory.getLogger(Client.class);
    /** Doubled by the kernel. With twice as much, Linux 6.18 held one message more than the agent keeps. */
    private static final int SEND_BUFFER = 64 * 1024;

    static final int FAREWELL_SECONDS = 10;

    private final Channel channel;
    private final Consumer<String> refusals;
    private volatile boolean paused;
    private volatile boolean closing;

    /** @param refusals hears why what the client said was not done */
    public Client(Channel channel, Consumer<String> refusals) {
        this.channel = channel;
        this.refusals = refusals;
        // What the kernel holds is lost with a cut connection, and must fit into what the agent keeps for a return.
        try {
            channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER);
        } catch (ChannelException gone) {
            // Seen by whoever reads from it.
            LOG.debug("A client has gone before it was let in: {}", gone.getMessage());
        }
    }

    /** Sends frames and tells when the network has taken them; nothing is told when it no longer does. */
    void send(List<WebSocketFrame> frames, Runnable taken) {
        if (frames.isEmpty()) {
            taken.run();
            return;
        }
        try {
            inTurn(() -> write(frames, taken));
        } catch (RejectedExecutionException over) {
            // The network is going down with the server: as to a client that was cut off, nothing is told.
            frames.forEach(WebSocketFrame::release);
        }
    }

    /**
     * Always by the network thread's queue. A write on that thread itself would overtake what another thread has
     * given to it just before, and frames would arrive out of order.
     */
    private void inTurn(Runnable act) {
        channel.eventLoop().execute(act);
    }

    private void write(List<WebSocketFrame> frames, Runnable taken) {
        ChannelFuture last = null;
        for (var frame : frames) {
            last = channel.write(frame);
        }
        channel.flush();
        last.addListener(written -> {
            if (written.isSuccess()) {
                taken.run();
            }
        });
    }

    /** For what is said beside the output: a client that does not listen misses it. */
    boolean mention(List<WebSocketFrame> frames) {
        boolean listens = channel.isActive() && channel.isWritable();
        if (listens) {
            send(frames, () -> {});
        } else {
            frames.forEach(WebSocketFrame::release);
        }
        return listens;
    }

    void refused(String why) {
        refusals.accept(why);
    }

    /** Reads nothing more from the client for now, so that it has to wait too. */
    void pause() {
        if (!closing) {
            paused = true;
            channel.config().setAutoRead(false);
        }
    }

    void goOn() {
        if (paused) {
            paused = false;
            channel.config().setAutoRead(true);
        }
    }

    boolean isPaused() {
        return paused;
    }

    /**
     * Says goodbye. The connection is closed when the client has answered that, or after a while: closed at once, with
     * something of the client's unread, the kernel would throw away what the client has not heard yet.
     */
    public void close(WebSocketCloseStatus status, String why) {
        closing = true;
        goOn();
        try {
            inTurn(() -> channel.writeAndFlush(new CloseWebSocketFrame(status, why))
                    .addListener(said -> {
                        if (said.isSuccess()) {
                            var late = channel.eventLoop()
                                    .schedule(() -> channel.close(), FAREWELL_SECONDS, TimeUnit.SECONDS);
                            channel.closeFuture().addListener(_ -> late.cancel(false));
                        } else {
                            channel.close();
                        }
                    }));
        } catch (RejectedExecutionException over) {
            channel.close();
        }
    }

    /** Whether goodbye was said; what the client still says is not heard. */
    boolean isClosing() {
        return closing;
    }
}
