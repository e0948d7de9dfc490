package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.launcher.PublishedEvents.Published;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** That the crash tests would see a lost, a late and a changed event. */
class PublishedEventsTest {
    @Test
    void aBatchThatIsSentAgainIsFine() {
        assertThat(faults(3, 1, 2, 1, 2, 3)).isEmpty();
    }

    @Test
    void aHoleIsSeen() {
        assertThat(faults(3, 1, 3)).anyMatch(fault -> fault.startsWith("expected sequence 2"));
    }

    @Test
    void aLateEventIsSeen() {
        assertThat(faults(3, 1, 3, 2)).anyMatch(fault -> fault.startsWith("expected sequence 2"));
    }

    @Test
    void aMissingEndIsSeen() {
        assertThat(faults(3, 1, 2)).containsExactly("expected 3 events, seen 2");
    }

    @Test
    void anotherEventWithTheSameNumberIsSeen() {
        var events = new PublishedEvents(Map.of(
                "sandbox",
                List.of(new Published("a", "sandbox.created", 1), new Published("b", "sandbox.created", 1))));
        assertThat(events.faultsOf("sandbox", 1)).singleElement().asString().startsWith("expected a again");
    }

    private static List<String> faults(long last, int... sequences) {
        var events = IntStream.of(sequences)
                .mapToObj(sequence -> new Published("evt_" + sequence, "any", sequence))
                .toList();
        return new PublishedEvents(Map.of("sandbox", events)).faultsOf("sandbox", last);
    }
}
