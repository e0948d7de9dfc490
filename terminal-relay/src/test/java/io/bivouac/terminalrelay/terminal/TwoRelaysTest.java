package io.bivouac.terminalrelay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TwoRelaysTest {
    private static final Map<String, Object> MANY = Map.of("bivouac.terminal.per-user", 10_000);

    @Test
    void aClientAtOneRelayReachesAnAgentAtTheOther() {
        try (var one = TestRelay.start(MANY)) {
            var id = one.sandbox();
            try (var agent = one.agent(id);
                    var other = TestRelay.start(one.sockets(), MANY)) {
                var ran =
                        other.http().post(id + "/process/run", Map.of("command", "cat; exit 3", "stdin", "over there"));
                assertThat(ran.number("exitCode")).isEqualTo(3);
                assertThat(ran.text("stdout")).isEqualTo("over there");
                var pty =
                        other.http().post(id + "/pty", Map.of("command", "cat")).text("id");
                try (var far = other.http().socket(id + "/pty/" + pty + "/ws", Socket.BINARY);
                        var near = one.http().socket(id + "/pty/" + pty + "/ws?from=0", Socket.BINARY)) {
                    far.type(1, "hello\n").awaitOutput(seen -> seen.equals("hello\r\nhello\r\n"));
                    near.awaitOutput(seen -> seen.equals("hello\r\nhello\r\n"));
                    assertThat(other.http().delete(id + "/pty/" + pty).status()).isEqualTo(204);
                    far.awaitFrame(2);
                    near.awaitFrame(2);
                }
            }
        }
    }

    @Test
    void aFloodComesWholeThroughTwoRelays() {
        try (var one = TestRelay.start(MANY)) {
            var id = one.sandbox();
            try (var agent = one.agent(id);
                    var other = TestRelay.start(one.sockets(), MANY)) {
                var pty = other.http()
                        .post(id + "/pty", Map.of("command", "stty -onlcr; seq 1 300000"))
                        .text("id");
                try (var far = other.http().socket(id + "/pty/" + pty + "/ws?from=0", Socket.BINARY)) {
                    far.awaitFrame(2);
                    assertThat(far.outputBytes()).hasSize(1_988_895);
                    assertThat(far.output()).startsWith("1\n2\n").endsWith("\n299999\n300000\n");
                }
            }
        }
    }

    @Test
    void whenARelayStopsItsAgentAndItsClientMoveToTheOther() {
        var one = TestRelay.start(MANY);
        var id = one.sandbox();
        try (var agent = one.agent(id);
                var other = TestRelay.start(one.sockets(), MANY)) {
            var pty = one.http()
                    .post(id + "/pty", Map.of("command", "stty -echo; cat"))
                    .text("id");
            var path = id + "/pty/" + pty + "/ws?source=me";
            try (var far = other.http().socket(path + "-far&from=0", Socket.BINARY);
                    var client = one.http().socket(path, Socket.BINARY)) {
                far.awaitFrame(5);
                client.type(1, "one\n").awaitOutput(seen -> seen.equals("one\r\n"));
                one.close();
                assertThat(client.awaitClose()).isIn(1001, -1);
                try (var again = other.http().socket(path + "&from=5", Socket.BINARY)) {
                    again.type(1, "one\n").type(2, "two\n").awaitOutput(seen -> seen.equals("two\r\n"));
                }
                far.awaitOutput(seen -> seen.equals("one\r\ntwo\r\n"));
                far.type(1, "three\n").awaitOutput(seen -> seen.endsWith("three\r\n"));
            }
            Wait.until(() -> other.http().delete(id + "/pty/" + pty).status() == 204);
        } finally {
            one.close();
        }
    }
}
