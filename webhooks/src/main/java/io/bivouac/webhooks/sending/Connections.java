package io.bivouac.webhooks.sending;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The connections to one URL. Used on its loop only. */
public final class Connections {
    private static final long IDLE_SECONDS = 20;

    final Target target;
    final String project;
    final EventLoop loop;
    final Dialer dialer;
    final Duration timeout;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private boolean sweeping;
    private boolean closed;

    private record Idle(Channel channel, long since) {}

    public Connections(URI url, String project, EventLoop loop, Dialer dialer, Duration timeout) {
        this.target = Target.of(url);
        this.project = project;
        this.loop = loop;
        this.dialer = dialer;
        this.timeout = timeout;
    }

    /** Posts the message; the answer comes on the loop, within the timeout. */
    public void post(Message message, Consumer<Answer> done) {
        new Exchange(this, message, done).start();
    }

    /** The most recently used one that is still open, or null. */
    Channel takeIdle() {
        for (var latest = idle.pollLast(); latest != null; latest = idle.pollLast()) {
            if (latest.channel().isActive()) {
                return latest.channel();
            }
        }
        return null;
    }

    void giveBack(Channel channel) {
        if (closed) {
            channel.close();
            return;
        }
        idle.addLast(new Idle(channel, System.nanoTime()));
        if (!sweeping) {
            sweeping = true;
            loop.schedule(this::sweep, IDLE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        idle.removeIf(connection -> {
            boolean over = !connection.channel().isActive()
                    || now - connection.since() > TimeUnit.SECONDS.toNanos(IDLE_SECONDS);
            if (over) {
                connection.channel().close();
            }
            return over;
        });
        sweeping = !idle.isEmpty();
        if (sweeping) {
            loop.schedule(this::sweep, IDLE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Exchanges under way go on; their connections are closed when they end. */
    public void close() {
        closed = true;
        idle.forEach(connection -> connection.channel().close());
        idle.clear();
    }
}
