package io.bivouac.webhooks.lane;

import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.webhooks.delivery.Delivery;
import io.bivouac.webhooks.delivery.Outcome;
import io.bivouac.webhooks.delivery.Outcome.State;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.endpoint.Endpoint.Disabled;
import io.bivouac.webhooks.sending.Answer;
import io.bivouac.webhooks.sending.Answer.Answered;
import io.bivouac.webhooks.sending.Connections;
import io.bivouac.webhooks.sending.Message;
import io.bivouac.webhooks.signing.Signer;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What is on its way to one endpoint. {@link #offer}, {@link #take} and {@link #places} may be called from anywhere;
 * everything else happens on the lane's loop.
 */
public final class Lane {
    /** Deliveries in one lane, waiting and under way. */
    static final int BOUND = 1_000;

    /** What has waited longer for its turn is parked, so that its offset need not wait. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Many small parkings: the lanes of receivers that hang would else park thousands at once, and all at one time. */
    private static final Duration SWEEP_EVERY = PATIENCE.dividedBy(16);

    private static final int CLAIMED_AT_ONCE = 256;
    private static final int FIFO_RUN = 64;
    private static final int GONE = 410;

    private final LaneWorld world;
    private final EventLoop loop;
    private final ConcurrentLinkedQueue<Delivery> arrived = new ConcurrentLinkedQueue<>();
    private final Line line = new Line();
    private final AtomicInteger depth = new AtomicInteger();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Breaker breaker = new Breaker();
    private final Concurrency concurrency;
    private final Speed speed = new Speed(System.nanoTime());
    private final AtomicReference<Endpoint> latest;
    private volatile Endpoint endpoint;
    private Signer signer;
    private Connections connections;
    private Pace pace;
    private int underWay;
    private boolean sweepPlanned;

    Lane(Endpoint endpoint, LaneWorld world) {
        this.world = world;
        this.loop = world.loops().next();
        this.endpoint = endpoint;
        this.latest = new AtomicReference<>(endpoint);
        this.concurrency = new Concurrency(endpoint.manner().concurrency());
        loop.execute(this::equip);
    }

    /** What became of an offer: taken; to be parked; or to be offered again in a moment. */
    public enum Room {
        TAKEN,
        PARK,
        HOLD
    }

    /** Which parked deliveries a lane would send. */
    public enum Choice {
        ANY,
        /** Only those that were tried before: they keep to their own schedule. */
        RETRIES,
        /** The one that was put back last: somebody wants to see what becomes of it. */
        LATEST
    }

    /** How many parked deliveries the lane would send now, and which. */
    public record Places(int count, Choice choice) {
        static final Places NONE = new Places(0, Choice.ANY);
    }

    public Room offer(Delivery delivery) {
        if (endpoint.manner().fifo() || !endpoint.isEnabled() || breaker.isOpen()) {
            return Room.PARK;
        }
        if (depth.get() >= BOUND) {
            return speed.isQuick(System.nanoTime()) ? Room.HOLD : Room.PARK;
        }
        enter(List.of(delivery));
        return Room.TAKEN;
    }

    public void take(List<Delivery> claimed) {
        enter(claimed);
    }

    private void enter(List<Delivery> deliveries) {
        depth.addAndGet(deliveries.size());
        world.depth().addAndGet(deliveries.size());
        arrived.addAll(deliveries);
        wake();
    }

    /** @param asked whether somebody has just asked for something to be sent, whatever the breaker says */
    public Places places(boolean asked) {
        int inLane = depth.get();
        if (!endpoint.isEnabled()) {
            return Places.NONE;
        }
        boolean probe = asked || !breaker.isOpen() || breaker.isProbeDue(System.nanoTime());
        if (endpoint.manner().fifo()) {
            return inLane > 0
                    ? Places.NONE
                    : new Places(breaker.isOpen() ? 1 : FIFO_RUN, probe ? Choice.ANY : Choice.RETRIES);
        }
        if (!breaker.isOpen()) {
            int most = speed.isQuick(System.nanoTime()) ? CLAIMED_AT_ONCE : concurrency.limit();
            return new Places(Math.max(0, most - inLane), Choice.ANY);
        }
        if (asked) {
            return new Places(1, Choice.LATEST);
        }
        return probe
                ? new Places(inLane == 0 ? 1 : 0, Choice.ANY)
                : new Places(Math.max(0, concurrency.limit() - inLane), Choice.RETRIES);
    }

    /** The endpoint has changed. */
    void update(Endpoint changed) {
        if (latest.getAndSet(changed) != changed) {
            loop.execute(() -> {
                var before = endpoint;
                endpoint = changed;
                if (!before.url().equals(changed.url()) || (!before.isEnabled() && changed.isEnabled())) {
                    breaker.succeeded();
                }
                concurrency.bound(changed.manner().concurrency());
                connections.close();
                equip();
                pump();
            });
        }
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    public int depth() {
        return depth.get();
    }

    void close() {
        loop.execute(() -> {
            connections.close();
            arrange();
            line.removeIf(delivery -> {
                park(delivery);
                return true;
            });
        });
    }

    private void equip() {
        var keys = endpoint.keys();
        signer = new Signer(keys.current(), keys.previous(), keys.previousUntil());
        connections = new Connections(endpoint.url(), endpoint.project(), loop, world.dialer(), world.timeout());
        pace = new Pace(endpoint.manner().rateLimit(), System.nanoTime());
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            loop.execute(() -> {
                woken.set(false);
                pump();
            });
        }
    }

    private void arrange() {
        for (var next = arrived.poll(); next != null; next = arrived.poll()) {
            line.add(next);
        }
    }

    private void pump() {
        arrange();
        long now = System.nanoTime();
        long pause = 0;
        for (var next = line.peek(); next != null; next = line.peek()) {
            if (isToBeParked(next, now)) {
                line.remove();
                line.done(next);
                park(next);
                continue;
            }
            int limit = endpoint.manner().fifo() ? 1 : concurrency.limit();
            if (underWay >= limit) {
                break;
            }
            pause = pace.take(now);
            if (pause > 0) {
                break;
            }
            line.remove();
            send(next);
        }
        if (!line.isEmpty()) {
            planSweep(pause > 0 ? Math.min(pause, SWEEP_EVERY.toNanos()) : SWEEP_EVERY.toNanos());
        }
    }

    private void sweep() {
        sweepPlanned = false;
        long now = System.nanoTime();
        line.removeIf(delivery -> {
            boolean over = isToBeParked(delivery, now);
            if (over) {
                park(delivery);
            }
            return over;
        });
        pump();
    }

    private boolean isToBeParked(Delivery delivery, long now) {
        return !endpoint.isEnabled()
                || now - delivery.since() > PATIENCE.toNanos()
                || (!delivery.claimed()
                        && (breaker.isOpen() || endpoint.manner().fifo()));
    }

    private void planSweep(long nanos) {
        if (!sweepPlanned) {
            sweepPlanned = true;
            loop.schedule(this::sweep, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void send(Delivery delivery) {
        underWay++;
        var at = Instant.now();
        long started = System.nanoTime();
        var event = delivery.event();
        var headers = Map.of(
                "webhook-id", event.id(),
                "webhook-timestamp", Long.toString(at.getEpochSecond()),
                "webhook-signature", signer.sign(event.id(), at, event.envelope()));
        connections.post(new Message(headers, event.envelope()), answer -> {
            underWay--;
            line.done(delivery);
            long nanos = System.nanoTime() - started;
            world.metrics().attempted(nanos);
            settle(delivery, answer, at, nanos);
            pump();
        });
    }

    private void settle(Delivery delivery, Answer answer, Instant at, long nanos) {
        var outcome = Verdict.of(
                delivery,
                answer,
                endpoint.manner().retry(),
                at,
                TimeUnit.NANOSECONDS.toMillis(nanos),
                ThreadLocalRandom.current());
        if (outcome.state() == State.DELIVERED) {
            FaultPoint.AFTER_ANSWER.pass();
            succeeded();
        } else {
            failed(delivery, answer);
        }
        leave(outcome);
    }

    private void succeeded() {
        breaker.succeeded();
        concurrency.succeeded();
        speed.succeeded(System.nanoTime());
        world.health().succeeded(endpoint);
    }

    private void failed(Delivery delivery, Answer answer) {
        long now = System.nanoTime();
        concurrency.failed();
        breaker.failed(now);
        if (answer instanceof Answered refusal && refusal.retryAfter() != null) {
            breaker.openFor(refusal.retryAfter(), now);
        }
        if (answer instanceof Answered refusal && refusal.status() == GONE) {
            world.health().disable(endpoint, Disabled.GONE);
        } else {
            world.health().failed(endpoint);
        }
        if (delivery.claimed() && endpoint.manner().fifo()) {
            // What was claimed behind it must not overtake it; its rows wait, and are claimed again after it.
            drop();
        }
    }

    private void park(Delivery delivery) {
        leave(Outcome.parked(delivery));
    }

    private void leave(Outcome outcome) {
        world.ledger().add(outcome);
        countOut();
    }

    private void countOut() {
        depth.decrementAndGet();
        world.depth().decrementAndGet();
    }

    private void drop() {
        arrange();
        line.removeIf(delivery -> {
            if (delivery.claimed()) {
                countOut();
            } else {
                // From before strict order was asked for: nobody else has it yet.
                park(delivery);
            }
            return true;
        });
    }
}
