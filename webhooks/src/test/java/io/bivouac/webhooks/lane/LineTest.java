package io.bivouac.webhooks.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.webhooks.delivery.Delivery;
import io.bivouac.webhooks.delivery.Delivery.Settlement;
import io.bivouac.webhooks.delivery.EventMessage;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.endpoint.Endpoint.Manner;
import io.bivouac.webhooks.endpoint.Endpoint.Retry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineTest {
    private final Line line = new Line();

    private Delivery add(String event, boolean fifo) {
        var endpoint = new Endpoint(
                "whe_1",
                null,
                null,
                null,
                null,
                new Manner(Retry.LONG, fifo, null, 32),
                null,
                null,
                null,
                null,
                null,
                0,
                0);
        // Named after its subject and its number: a1, a2, b1.
        var message = new EventMessage(event, "sandbox.created", "prj_1", event.substring(0, 1), new byte[0]);
        var delivery = Delivery.fresh(endpoint, message, Settlement.NOBODY);
        line.add(delivery);
        return delivery;
    }

    /** All that may go now. */
    private List<Delivery> go() {
        var gone = new ArrayList<Delivery>();
        for (var next = line.peek(); next != null; next = line.peek()) {
            line.remove();
            gone.add(next);
        }
        return gone;
    }

    @Test
    void oneOfEachSubjectGoesAndTheNextWhenItIsDone() {
        var a1 = add("a1", false);
        var a2 = add("a2", false);
        var b1 = add("b1", false);
        var a3 = add("a3", false);
        assertThat(go()).containsExactly(a1, b1);
        line.done(b1);
        assertThat(go()).isEmpty();
        line.done(a1);
        assertThat(go()).containsExactly(a2);
        line.done(a2);
        assertThat(go()).containsExactly(a3);
        assertThat(line.isEmpty()).isTrue();
        line.done(a3);
        assertThat(List.of(add("a4", false), add("b2", false))).isEqualTo(go());
    }

    @Test
    void inStrictOrderAllAreOfOneSubject() {
        var a1 = add("a1", true);
        var a2 = add("a2", true);
        var b1 = add("b1", true);
        assertThat(go()).containsExactly(a1);
        line.done(a1);
        assertThat(go()).containsExactly(a2);
        line.done(a2);
        assertThat(go()).containsExactly(b1);
    }

    @Test
    void whatIsTakenOutOfTheLineMakesWayForThoseBehindIt() {
        var a1 = add("a1", false);
        var a2 = add("a2", false);
        var a3 = add("a3", false);
        var b1 = add("b1", false);
        var asked = new ArrayList<Delivery>();
        line.removeIf(delivery -> asked.add(delivery) && (delivery == a1 || delivery == a2 || delivery == b1));
        assertThat(asked).as("each once, the earlier of a subject first").containsExactly(a1, b1, a2, a3);
        assertThat(go()).containsExactly(a3);
        assertThat(line.isEmpty()).isTrue();
    }
}
