package io.bivouac.webhooks.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.sandboxes.fault.FaultPoint;
import io.bivouac.webhooks.crash.LedgerReceiver.Line;
import io.bivouac.webhooks.fixture.Libraries;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Both ends keep a list. Between them the messenger is killed at each point where something could be lost, and Kafka
 * and PostgreSQL at any moment; afterwards each event is on each receiver's list, under one id, and where order was
 * asked for, in order.
 */
class LedgerTest {
    private static final long PATIENCE_MILLIS = 180_000;
    private static final int KILLED = 137;

    @Test
    void nothingIsLostWhereverTheMessengerDies() throws Exception {
        run(List.of(FaultPoint.AFTER_KAFKA_ACK, FaultPoint.AFTER_ANSWER, FaultPoint.MID_PARK), 0);
    }

    @Test
    @Tag("soak")
    void nothingIsLostAtAnyPointNorWithKafkaAndPostgresKilled() throws Exception {
        run(List.of(FaultPoint.values()), 5);
    }

    private void run(List<FaultPoint> points, int backingKills) throws Exception {
        assumeTrue(Libraries.has("node") && Libraries.has("python3"), "node and python3 are the receivers");
        try (var stack = CrashStack.start();
                var producer = Producer.start(stack);
                var node = LedgerReceiver.node(stack.folder());
                var python = LedgerReceiver.python(stack.folder())) {
            node.start(producer.endpoint(node.url(), false));
            python.start(producer.endpoint(python.url(), true));
            for (var point : points) {
                dieAt(point, stack, producer, node);
            }
            try (var messenger = DispatcherProcess.start(stack, Optional.empty())) {
                for (int i = 0; i < backingKills; i++) {
                    producer.produce(10);
                    stack.killKafka();
                    producer.produce(10);
                    stack.killPostgres();
                }
                producer.produce(5);
                var expected = producer.events();
                await(
                        "every event at both receivers: " + messenger.output(),
                        () -> node.has(expected) && python.has(expected));
                messenger.kill();
            }
            check(producer, node, python);
        }
    }

    private static void dieAt(FaultPoint point, CrashStack stack, Producer producer, LedgerReceiver node)
            throws Exception {
        try (var messenger = DispatcherProcess.start(stack, Optional.of(point))) {
            if (point == FaultPoint.MID_PARK) {
                node.refuse();
            }
            producer.produce(5);
            await(point + " reached", () -> !messenger.isAlive());
            assertThat(messenger.diedAt()).isEqualTo(point.wireName());
            assertThat(messenger.exitCode()).isEqualTo(KILLED);
            System.out.println(
                    "died at " + point.wireName() + " with " + node.lines().size() + " events received");
        } finally {
            node.accept();
        }
    }

    private static void check(Producer producer, LedgerReceiver node, LedgerReceiver python) throws Exception {
        var expected = producer.events();
        assertThat(expected).containsAll(producer.ledger());
        for (var receiver : List.of(node, python)) {
            var lines = receiver.lines();
            assertThat(lines).allMatch(line -> line.webhookId().equals(line.eventId()));
            assertThat(lines.stream().map(Line::eventId).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrderElementsOf(expected);
            System.out.printf("%d events, %d deliveries%n", expected.size(), lines.size());
        }
        var last = new HashMap<String, Long>();
        for (var line : python.lines()) {
            long before = last.getOrDefault(line.subject(), 0L);
            assertThat(line.sequence())
                    .as("the next or an earlier one again: " + line)
                    .isLessThanOrEqualTo(before + 1);
            last.put(line.subject(), Math.max(before, line.sequence()));
        }
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!condition.getAsBoolean()) {
            if (System.currentTimeMillis() > deadline) {
                throw new AssertionError("expected " + what);
            }
            Thread.sleep(50);
        }
    }
}
