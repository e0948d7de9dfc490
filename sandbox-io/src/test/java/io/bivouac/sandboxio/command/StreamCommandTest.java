package io.bivouac.sandboxio.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Events;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class StreamCommandTest {
    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.process.linger", "1s", "bivouac.process.ping-every", "200ms"));
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    private static Events stream(Map<String, ?> request) {
        var all = new HashMap<String, Object>(request);
        all.put("stream", true);
        var response = relay.http().openPost(id + "/process/run", all);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type"))
                .get()
                .asString()
                .startsWith("text/event-stream");
        return new Events(response.body());
    }

    private static String text(List<Events.Event> events, String type) {
        return events.stream()
                .filter(event -> event.type().equals(type))
                .map(Events.Event::text)
                .collect(Collectors.joining());
    }

    @Test
    void eventsTellACommandsLife() {
        try (var stream = stream(Map.of("command", "echo out; echo err >&2; exit 5"))) {
            var events = stream.rest();

            assertThat(events.getFirst().type()).isEqualTo("start");
            var commandId = events.getFirst().data().get("commandId").getStringValue();
            assertThat(events).allSatisfy(event -> {
                assertThat(event.data().get("commandId").getStringValue()).isEqualTo(commandId);
                assertThat(event.data().get("type").getStringValue()).isEqualTo(event.type());
            });
            assertThat(text(events, "stdout")).isEqualTo("out\n");
            assertThat(text(events, "stderr")).isEqualTo("err\n");
            assertThat(events.getLast().type()).isEqualTo("exit");
            assertThat(events.getLast().data().get("exitCode").getIntValue()).isEqualTo(5);
            assertThat(events.getLast().id()).isEqualTo("4-4");
        }
    }

    @Test
    void anExitCodeOfZeroIsSaid() {
        try (var stream = stream(Map.of("command", "true"))) {
            assertThat(stream.rest().getLast().data().get("exitCode").getIntValue())
                    .isZero();
        }
    }

    @Test
    void outputComesWhileTheCommandRuns() {
        try (var stream = stream(Map.of("command", "echo now; sleep 60"))) {
            assertThat(stream.next().type()).isEqualTo("start");
            assertThat(stream.next().text()).isEqualTo("now\n");
        }
    }

    @Test
    void aCharacterIsNeverCut() {
        try (var stream = stream(Map.of("command", "printf '\\342'; sleep 0.3; printf '\\202\\254!'"))) {
            var events = stream.rest();
            assertThat(text(events, "stdout")).isEqualTo("€!");
        }
    }

    @Test
    void bytesThatAreNoTextComeAsBase64() {
        try (var stream = stream(Map.of("command", "printf '\\377\\376'; sleep 0.3; printf 'x\\342'"))) {
            var events = stream.rest().stream()
                    .filter(event -> event.type().equals("stdout"))
                    .toList();
            assertThat(events.get(0).data().get("dataBase64").getStringValue()).isEqualTo("//4=");
            assertThat(events.get(1).text()).isEqualTo("x");
            assertThat(events.get(2).data().get("dataBase64").getStringValue()).isEqualTo("4g==");
        }
    }

    @Test
    void aTimeoutIsAnErrorEvent() {
        try (var stream = stream(Map.of("command", "echo early; sleep 60", "timeout", 300))) {
            var events = stream.rest();
            assertThat(text(events, "stdout")).isEqualTo("early\n");
            assertThat(events.getLast().type()).isEqualTo("error");
            assertThat(events.getLast().data().get("code").getIntValue()).isEqualTo(4001);
        }
    }

    @Test
    void aQuietStreamShowsThatItIsAlive() {
        try (var stream = stream(Map.of("command", "sleep 60"))) {
            assertThat(stream.next().type()).isEqualTo("start");
            assertThat(stream.next().type()).isEqualTo("comment");
        }
    }

    @Test
    void muchOutputArrivesWholeAndInFewEvents() {
        try (var stream = stream(Map.of("command", "seq 1 400000"))) {
            var events = stream.rest();
            var lines = text(events, "stdout").split("\n", -1);
            assertThat(lines).hasSize(400_001);
            assertThat(lines[399_999]).isEqualTo("400000");
            assertThat(events.size()).isLessThan(2000);
        }
    }

    @Test
    void aKilledCommandEndsWithItsSignal() {
        try (var stream = stream(Map.of("command", "sleep 60"))) {
            var commandId = stream.next().data().get("commandId").getStringValue();

            assertThat(relay.http()
                            .post(id + "/process/" + commandId + "/kill", Map.of("signal", 9))
                            .status())
                    .isEqualTo(200);

            assertThat(stream.rest().getLast().data().get("exitCode").getIntValue())
                    .isEqualTo(-9);
        }
    }

    @Test
    void aForegroundCommandEndsSoonAfterItsReaderLeft() {
        String commandId;
        try (var stream = stream(Map.of("command", "sleep 60"))) {
            commandId = stream.next().data().get("commandId").getStringValue();
        }
        Wait.until(() -> !isRunning(commandId));
    }

    @Test
    void aRequestThatIsGivenUpLeavesItsCommand() throws Exception {
        var client = Thread.ofVirtual().start(() -> {
            try {
                relay.http().post(id + "/process/run", Map.of("command", "sleep 61"));
            } catch (IllegalStateException interrupted) {
                // That is the test.
            }
        });
        Wait.until(() ->
                commands().stream().anyMatch(command -> command.get("command").equals("sleep 61")));
        client.interrupt();
        client.join();
        Wait.until(() -> commands().stream()
                .noneMatch(command -> command.get("command").equals("sleep 61") && (boolean) command.get("running")));
    }

    @Test
    void aBackgroundCommandGoesOnAndCanBeReadLater() throws IOException {
        var answer = relay.http()
                .post(
                        id + "/process/run",
                        Map.of(
                                "command",
                                "read x; echo got $x; sleep 0.5; echo end",
                                "background",
                                true,
                                "stdin",
                                "word\n"));
        var commandId = answer.text("commandId");
        assertThat(answer.body().get("background").getBooleanValue()).isTrue();

        var output = relay.http().open(id + "/process/" + commandId + "/output?stream=stdout", "*/*");

        assertThat(output.headers().firstValue("content-type")).hasValue("application/octet-stream");
        assertThat(new String(output.body().readAllBytes())).isEqualTo("got word\nend\n");
        var again = relay.http().open(id + "/process/" + commandId + "/output?stream=stdout&offset=4", "*/*");
        assertThat(again.headers().firstValue("Bivouac-Offset")).hasValue("4");
        assertThat(new String(again.body().readAllBytes())).isEqualTo("word\nend\n");
    }

    @Test
    void eventsGoOnAfterTheLastOneSeen() {
        var commandId = relay.http()
                .post(id + "/process/run", Map.of("command", "echo one; echo two", "background", true))
                .text("commandId");
        var response = relay.http()
                .open(id + "/process/" + commandId + "/output", "text/event-stream", "Last-Event-ID", "4-0");

        assertThat(text(new Events(response.body()).rest(), "stdout")).isEqualTo("two\n");
    }

    @Test
    void whatTheSandboxNoLongerHasIsAGap() throws IOException {
        var commandId = relay.http()
                .post(id + "/process/run", Map.of("command", "seq 1 1000000", "background", true))
                .text("commandId");
        Wait.until(() -> !isRunning(commandId));

        var output = relay.http().open(id + "/process/" + commandId + "/output", "*/*");

        long offset =
                Long.parseLong(output.headers().firstValue("Bivouac-Offset").orElseThrow());
        var bytes = output.body().readAllBytes();
        assertThat(offset).isPositive();
        assertThat(offset + bytes.length).isEqualTo(6_888_896);
    }

    @Test
    void unknownCommandsAreNotFound() {
        var unknown = CommandId.next();
        assertThat(relay.http()
                        .post(id + "/process/" + unknown + "/kill", Map.of("signal", 15))
                        .number("code"))
                .isEqualTo(4003);
        assertThat(relay.http().get(id + "/process/" + unknown + "/output").number("code"))
                .isEqualTo(4003);
        assertThat(relay.http().get(id + "/process/nonsense/output").number("code"))
                .isEqualTo(4003);
        assertThat(relay.http()
                        .post(id + "/process/" + unknown + "/kill", Map.of("signal", 99))
                        .number("code"))
                .isEqualTo(1003);
    }

    @Test
    void aStoppedClientStallsNobodyElse() throws IOException {
        var stalled = relay.http().openPost(id + "/process/run", Map.of("command", "yes", "stream", true));
        try (var body = stalled.body()) {
            assertThat(body.read()).isPositive();
            for (int i = 0; i < 20; i++) {
                assertThat(relay.http()
                                .post(id + "/exec", Map.of("command", List.of("echo", "hi")))
                                .text("stdout"))
                        .isEqualTo("hi\n");
            }
            assertThat(relay.http().get(id + "/process").status()).isEqualTo(200);
        }
    }

    private static boolean isRunning(String commandId) {
        return commands().stream()
                .anyMatch(command -> command.get("commandId").equals(commandId) && (boolean) command.get("running"));
    }

    private static List<Map<String, Object>> commands() {
        Http.Answer answer = relay.http().get(id + "/process");
        assertThat(answer.body().get("nextCursor").isNull()).isTrue();
        return ((List<?>) answer.body().get("items").getValue())
                .stream().map(StreamCommandTest::fields).toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> fields(Object item) {
        return (Map<String, Object>) item;
    }
}
