package io.bivouac.webhooks.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.webhooks.crash.LedgerReceiver.Line;
import io.bivouac.webhooks.crash.Scene.Victim;
import io.bivouac.webhooks.fixture.Libraries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Both ends keep a list. Between them the server, the dispatcher, Kafka and PostgreSQL are killed while one of the
 * first two stands at a point where something could be lost; afterwards each event is on each receiver's list, under
 * one id, and where order was asked for, in order.
 */
class LedgerTest {
    @Test
    void nothingIsLostWhoeverIsKilled() throws Exception {
        // A dispatcher that follows a killed one under its name need not wait until Kafka has given that one up.
        run(
                Map.of("group.instance.id", "dispatcher"),
                List.of(
                        new Scene(FaultPoint.AFTER_ANSWER, Victim.DISPATCHER),
                        new Scene(FaultPoint.MID_PARK, Victim.POSTGRES),
                        new Scene(FaultPoint.AFTER_KAFKA_ACK, Victim.KAFKA),
                        new Scene(FaultPoint.AFTER_OUTBOX_COMMIT, Victim.SERVER)));
    }

    @Test
    @Tag("soak")
    void nothingIsLostWhoeverIsKilledAtAnyPoint() throws Exception {
        run(Map.of(), Scene.all());
    }

    private static void run(Map<String, String> clientProperties, List<Scene> scenes) throws Exception {
        assumeTrue(Libraries.has("node") && Libraries.has("python3"), "node and python3 are the receivers");
        try (var stack = CrashStack.start(clientProperties);
                var stage = Stage.open(stack)) {
            for (var scene : scenes) {
                stage.play(scene);
            }
            stage.awaitArrival();
            check(stage);
        }
    }

    private static void check(Stage stage) throws Exception {
        var expected = stage.producer().events();
        assertThat(expected).containsAll(stage.producer().ledger());
        for (var receiver : List.of(stage.node(), stage.python())) {
            var lines = receiver.lines();
            assertThat(lines).allMatch(line -> line.webhookId().equals(line.eventId()));
            assertThat(lines.stream().map(Line::eventId).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrderElementsOf(expected);
            System.out.printf("%d events, %d deliveries%n", expected.size(), lines.size());
        }
        var last = new HashMap<String, Long>();
        for (var line : stage.python().lines()) {
            long before = last.getOrDefault(line.subject(), 0L);
            assertThat(line.sequence())
                    .as("the next or an earlier one again: " + line)
                    .isLessThanOrEqualTo(before + 1);
            last.put(line.subject(), Math.max(before, line.sequence()));
        }
    }
}
