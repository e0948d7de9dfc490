package io.bivouac.webhooks.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.webhooks.crash.Scene.Victim;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A server, a dispatcher, two receivers and what they stand on; each scene kills one of them, and it comes back. */
final class Stage implements AutoCloseable {
    /** Longer than the pause after a second failure, which a machine under load may bring about. */
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private static final int KILLED = 137;
    private static final int SANDBOXES = 5;

    private final CrashStack stack;
    private final Producer producer;
    private final LedgerReceiver node;
    private final LedgerReceiver python;
    private Server server;
    private Program dispatcher;

    private Stage(CrashStack stack) throws IOException, InterruptedException {
        this.stack = stack;
        server = Server.start(stack, null);
        producer = Producer.with(stack, server);
        node = LedgerReceiver.node(stack.folder());
        python = LedgerReceiver.python(stack.folder());
        node.start(producer.endpoint(node.url(), false));
        python.start(producer.endpoint(python.url(), true));
    }

    static Stage open(CrashStack stack) throws IOException, InterruptedException {
        return new Stage(stack);
    }

    Producer producer() {
        return producer;
    }

    LedgerReceiver node() {
        return node;
    }

    /** The one that asks for strict order. */
    LedgerReceiver python() {
        return python;
    }

    void play(Scene scene) throws Exception {
        stopDispatcher();
        var standing = scene.isOfTheServer() ? serverStandsAt(scene.point()) : dispatcherStandsAt(scene.point());
        node.accept();
        kill(scene.victim());
        if (standing.isAlive()) {
            assertThat(standing.standsAt(scene.point())).as("still at " + scene).isTrue();
            standing.release();
            awaitGoingOn(scene);
        }
        System.out.printf(
                "%s; %d and %d deliveries so far%n",
                scene, node.lines().size(), python.lines().size());
    }

    private void awaitGoingOn(Scene scene) throws Exception {
        if (scene.isOfTheServer()) {
            await("every event on Kafka", () -> producer.unpublished() == 0);
        } else {
            awaitArrival();
        }
    }

    /** Without a dispatcher, whose relay might be the one that carries. */
    private Program serverStandsAt(FaultPoint point) throws Exception {
        server.close();
        server = Server.start(stack, point);
        producer.produce(server, SANDBOXES);
        return awaitStanding(server.program(), point);
    }

    private Program dispatcherStandsAt(FaultPoint point) throws Exception {
        if (point == FaultPoint.MID_PARK) {
            node.refuse();
        }
        dispatcher = Dispatcher.start(stack, point);
        producer.produce(server(), SANDBOXES);
        return awaitStanding(dispatcher, point);
    }

    /** One that is not told to stand anywhere any more. */
    private Server server() throws IOException {
        if (!server.program().isAlive()) {
            server = Server.start(stack, null);
        }
        return server;
    }

    private static Program awaitStanding(Program program, FaultPoint point) throws Exception {
        await(point + " reached", () -> program.standsAt(point) || !program.isAlive());
        assertThat(program.standsAt(point)).as(() -> logOf(program)).isTrue();
        return program;
    }

    private void kill(Victim victim) throws Exception {
        switch (victim) {
            case SERVER -> assertThat(server.program().kill()).isEqualTo(KILLED);
            case DISPATCHER -> assertThat(dispatcher.kill()).isEqualTo(KILLED);
            case KAFKA -> stack.killKafka();
            case POSTGRES -> stack.killPostgres();
        }
    }

    /** Whatever was said is on both lists. */
    void awaitArrival() throws Exception {
        if (dispatcher == null || !dispatcher.isAlive()) {
            dispatcher = Dispatcher.start(stack, null);
        }
        var expected = producer.events();
        await("every event at both receivers", () -> {
            assertThat(dispatcher.isAlive()).as(() -> logOf(dispatcher)).isTrue();
            return node.has(expected) && python.has(expected);
        });
    }

    private static String logOf(Program program) {
        try {
            return program.log();
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("expected " + what);
            }
            Thread.sleep(50);
        }
    }

    private void stopDispatcher() throws InterruptedException {
        if (dispatcher != null) {
            dispatcher.close();
        }
    }

    @Override
    public void close() throws InterruptedException {
        stopDispatcher();
        server.close();
        node.close();
        python.close();
    }
}
