package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.functions.EventLines.Block;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StreamEventsTest {
    private static final int OF_A_CREATE = 4;

    private final TestServer server = TestServer.shared();
    private final Client client = server.newProject();

    @Test
    void theProjectsEventsArriveInOrderAndNoOnesElse() {
        try (var stream = open(client, "", null)) {
            server.newProject().newSandbox();
            var id = client.newSandbox();
            client.delete("/api/v1/sandboxes/" + id);
            var blocks = take(stream, 6);
            assertThat(blocks).extracting(Block::name).startsWith("sandbox.created", "sandbox.starting");
            assertThat(blocks).extracting(Block::name).endsWith("agent.disconnected", "sandbox.deleted");
            assertThat(blocks).allSatisfy(block -> {
                assertThat(block.text("subject")).isEqualTo(id);
                assertThat(block.text("type")).isEqualTo(block.name());
            });
            assertThat(blocks)
                    .extracting(block -> block.text("sequence"))
                    .containsExactly("1", "2", "3", "4", "5", "6");
        }
    }

    @Test
    void whoComesBackWithTheLastIdMissesNothingAlsoAtAnotherServer() {
        String last;
        try (var stream = open(client, "", null)) {
            client.newSandbox();
            last = take(stream, 2).getLast().id();
        }
        var later = client.newSandbox();
        var other = TestServer.with(Map.of());
        try (var stream = open(client.at(other.client()), "", last)) {
            var blocks = take(stream, OF_A_CREATE - 2 + OF_A_CREATE);
            assertThat(blocks.subList(0, 2))
                    .extracting(block -> block.text("sequence"))
                    .containsExactly("3", "4");
            assertThat(blocks.subList(2, 6))
                    .allSatisfy(block -> assertThat(block.text("subject")).isEqualTo(later));
        } finally {
            other.stop();
        }
    }

    @Test
    void aFreshStreamSaysWhereItBegins() {
        String start;
        try (var stream = open(client, "", null)) {
            start = stream.block().id();
        }
        client.newSandbox();
        try (var stream = open(client, "?lastEventId=" + start, null)) {
            assertThat(stream.event().name()).isEqualTo("sandbox.created");
        }
    }

    @Test
    void onlyTheTypesAskedForAreSent() {
        try (var stream = open(client, "?types=agent.*,sandbox.deleted", null)) {
            client.delete("/api/v1/sandboxes/" + client.newSandbox());
            assertThat(take(stream, 3))
                    .extracting(Block::name)
                    .containsExactly("agent.connected", "agent.disconnected", "sandbox.deleted");
        }
        var refused = client.get("/api/v1/events?types=sandbox.*,nothing.*");
        assertThat(refused.problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(refused.body()).contains("nothing.*").contains("sandbox.created");
    }

    @Test
    void aPlaceThatCannotBeResumedIsAGapAndNotSilence() {
        try (var stream = open(client, "", "999999999999")) {
            assertThat(stream.event().name()).isEqualTo("gap");
            client.newSandbox();
            assertThat(stream.event().name()).isEqualTo("sandbox.created");
        }
        assertThat(client.get("/api/v1/events?lastEventId=evt_1").problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(client.as(null).get("/api/v1/events").problem()).isEqualTo("401 1001 UNAUTHORIZED");
    }

    @Test
    void aQuietStreamShowsThatItIsAliveAndEndsInTime() {
        var brief =
                TestServer.with(Map.of("bivouac.event-streams.ping", "100ms", "bivouac.event-streams.longest", "2s"));
        try (var stream = open(client.at(brief.client()), "", null)) {
            stream.block();
            assertThat(stream.block().comment()).isEqualTo("ping");
            assertThat(stream.block().id()).isNotEmpty();
            awaitEnd(stream);
        } finally {
            brief.stop();
        }
    }

    @Test
    void aRevokedKeysStreamEndsAndNoOtherKeys() {
        var made = client.post("/api/v1/keys", "{\"name\":\"ci\",\"role\":\"viewer\"}");
        try (var revoked = open(client.as(made.text("/key")), "", null);
                var other = open(client, "", null)) {
            revoked.block();
            other.block();
            assertThat(client.delete("/api/v1/keys/" + made.text("/id")).status())
                    .isEqualTo(204);
            awaitEnd(revoked);
            client.newSandbox();
            assertThat(other.event().name()).isEqualTo("sandbox.created");
        }
    }

    @Test
    void thereAreOnlySoManyStreams() {
        var narrow = TestServer.with(Map.of("bivouac.event-streams.most", 1));
        var narrowClient = client.at(narrow.client());
        try (var stream = open(narrowClient, "", null)) {
            stream.block();
            assertThat(narrow.newProject().get("/api/v1/events").problem()).isEqualTo("503 9003 UNAVAILABLE");
        } finally {
            narrow.stop();
        }
    }

    /** Positions of concurrent changes are not in commit order; the stream's numbers are. */
    @Test
    void readersThatAreCutOffAllTheTimeSeeEveryEventOfManyAtOnceExactlyOnce() throws Exception {
        int sandboxes = 60;
        var seen = new ArrayList<Block>();
        String last;
        try (var stream = open(client, "", null)) {
            last = stream.block().id();
        }
        try (var makers = Executors.newFixedThreadPool(12)) {
            var made = IntStream.range(0, sandboxes)
                    .mapToObj(_ -> makers.submit(client::newSandbox))
                    .toList();
            while (seen.size() < sandboxes * OF_A_CREATE) {
                try (var stream = open(client, "", last)) {
                    seen.addAll(take(stream, Math.min(7, sandboxes * OF_A_CREATE - seen.size())));
                    last = seen.getLast().id();
                }
            }
            for (var id : made) {
                id.get();
            }
        }
        var sequences = new HashMap<String, List<String>>();
        for (var block : seen) {
            sequences
                    .computeIfAbsent(block.text("subject"), _ -> new ArrayList<>())
                    .add(block.text("sequence"));
        }
        assertThat(sequences).hasSize(sandboxes);
        assertThat(sequences.values()).allSatisfy(numbers -> assertThat(numbers).containsExactly("1", "2", "3", "4"));
    }

    private static EventLines open(Client client, String query, String lastId) {
        var request = client.request("/api/v1/events" + query);
        if (lastId != null) {
            request.header("Last-Event-ID", lastId);
        }
        return new EventLines(request.GET().build());
    }

    private static void awaitEnd(EventLines stream) {
        Eventually.that("the stream's end", () -> {
            try {
                stream.block();
                return false;
            } catch (AssertionError ended) {
                return ended.getMessage().equals("the stream has ended");
            }
        });
    }

    private static List<Block> take(EventLines stream, int count) {
        return IntStream.range(0, count).mapToObj(_ -> stream.event()).toList();
    }
}
