package io.bivouac.sandboxio.gateway;

import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The idle connections of one event loop, which alone touches them. */
final class IdleConnections {
    /** For one port of one sandbox. */
    static final int MOST = 32;

    /** Shorter than common servers wait for a next request (5 s), so that few are met just as they close. */
    static final Duration LONGEST = Duration.ofSeconds(4);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private record Idle(CarriedChannel connection, long since) {}

    private final Map<Target, Deque<Idle>> idle = new HashMap<>();
    private boolean looking;

    /** The one that was used last; null when none stands. */
    @Nullable CarriedChannel take(Target target) {
        var waiting = idle.get(target);
        while (waiting != null && !waiting.isEmpty()) {
            var last = waiting.pollLast().connection();
            if (last.isActive() && !last.hasUnread()) {
                return last;
            }
            last.close();
        }
        return null;
    }

    void add(CarriedChannel connection) {
        if (!connection.isActive() || connection.hasUnread()) {
            connection.close();
            return;
        }
        var waiting = idle.computeIfAbsent(connection.target(), _ -> new ArrayDeque<>());
        if (waiting.size() == MOST) {
            waiting.pollFirst().connection().close();
        }
        waiting.addLast(new Idle(connection, System.nanoTime()));
        look(connection.eventLoop());
    }

    /** False when the sandbox has no idle one here. */
    boolean closeOneOf(SandboxId sandbox) {
        for (var entry : idle.entrySet()) {
            if (entry.getKey().sandbox().equals(sandbox) && !entry.getValue().isEmpty()) {
                entry.getValue().pollFirst().connection().close();
                return true;
            }
        }
        return false;
    }

    private void look(EventLoop loop) {
        if (!looking) {
            looking = true;
            loop.schedule(() -> closeOld(loop), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void closeOld(EventLoop loop) {
        looking = false;
        long oldest = System.nanoTime() - LONGEST.toNanos();
        idle.values().removeIf(waiting -> {
            while (!waiting.isEmpty()
                    && (waiting.peekFirst().since() - oldest < 0
                            || !waiting.peekFirst().connection().isActive())) {
                waiting.pollFirst().connection().close();
            }
            return waiting.isEmpty();
        });
        if (!idle.isEmpty()) {
            look(loop);
        }
    }
}
