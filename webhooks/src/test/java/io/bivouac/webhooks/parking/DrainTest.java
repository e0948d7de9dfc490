package io.bivouac.webhooks.parking;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.webhooks.fixture.Api;
import io.bivouac.webhooks.fixture.Messenger;
import io.bivouac.webhooks.fixture.Receiver;
import io.bivouac.webhooks.fixture.Receiver.Received;
import io.bivouac.webhooks.fixture.Receiver.Reply;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is parked goes when it is due, though nothing else happens meanwhile. */
class DrainTest {
    private final Messenger messenger = Messenger.shared();
    private final Api api = messenger.newProject();
    private final Receiver receiver = new Receiver();
    private final String endpoint = api.endpoint(
                    receiver.url(), "\"types\":[\"sandbox.created\"]", "\"retry\":\"short\"")
            .text("/id");

    @AfterEach
    void stop() {
        api.delete("/api/v1/webhooks/endpoints/" + endpoint);
        receiver.close();
    }

    @Test
    void aRetryOfThisProcessWakesItsDrain() {
        receiver.answering(_ -> new Reply(receiver.received().size() % 2 == 0 ? 500 : 200, ""));
        // Each begins when the drain has just gone to rest after the one before.
        var waits = LongStream.range(0, 5)
                .map(turn -> {
                    messenger.sandbox(api);
                    var seen = awaitReceived((int) (turn + 1) * 2);
                    return seen.getLast().nanos() - seen.get(seen.size() - 2).nanos();
                })
                .skip(1)
                .sorted()
                .toArray();
        // A second and up to a fifth, of which a loaded machine may make more, but not of each.
        assertThat(Duration.ofNanos(waits[1])).isBetween(Duration.ofMillis(900), Duration.ofMillis(1_600));
    }

    @Test
    void whatAnotherProcessParkedGoesWhenItIsDue() throws SQLException {
        var dueAfter = List.of(2_300, 2_900, 3_500, 4_100, 4_700);
        dueAfter.forEach(_ -> messenger.sandbox(api));
        var ids = awaitReceived(dueAfter.size()).stream().map(Received::id).toList();
        Eventually.that(
                "all in the log",
                () -> api.deliveries(endpoint, "?state=delivered").size("/items") == dueAfter.size());
        var dueAt = new LinkedHashMap<String, Long>();
        for (int i = 0; i < ids.size(); i++) {
            dueAt.put(
                    ids.get(i),
                    System.nanoTime() + Duration.ofMillis(dueAfter.get(i)).toNanos());
            park(ids.get(i), dueAfter.get(i));
        }
        var late = awaitReceived(dueAfter.size() * 2).stream()
                .skip(dueAfter.size())
                .map(again -> Duration.ofNanos(again.nanos() - dueAt.get(again.id())))
                .toList();
        assertThat(late).allSatisfy(time -> assertThat(time).isBetween(Duration.ofMillis(-10), Duration.ofMillis(700)));
    }

    private List<Received> awaitReceived(int count) {
        Eventually.that(count + " requests", () -> receiver.received().size() >= count);
        return receiver.received();
    }

    /** As the messenger of another process would, that died then: nobody here is told. */
    private static void park(String event, int millis) throws SQLException {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.prepareStatement("""
                        UPDATE webhook_deliveries d SET state = 'waiting', due_at = now() + ? * interval '1 millisecond',
                            envelope = (SELECT envelope FROM events e WHERE e.id = d.event_id)
                        WHERE event_id = ?""")) {
            statement.setInt(1, millis);
            statement.setString(2, event);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }
}
