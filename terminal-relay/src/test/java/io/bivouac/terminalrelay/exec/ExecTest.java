package io.bivouac.terminalrelay.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.HandshakeRefused;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecTest {
    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.terminal.per-user", 10_000, "bivouac.terminal.kill-after", "500ms"));
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    private static Socket exec(String query, String... protocols) {
        return relay.http().socket(id + "/exec/interactive" + query, protocols);
    }

    private static String stream(Socket socket, String name) {
        return socket.messages().stream()
                .filter(message -> message.get("type").getStringValue().equals("output"))
                .filter(message -> name.equals(
                        message.get("stream") == null
                                ? ""
                                : message.get("stream").getStringValue()))
                .map(message -> message.get("data").getStringValue())
                .collect(Collectors.joining());
    }

    @Test
    void aShellInATerminalUnlessItSaysOtherwise() {
        try (var socket = exec("")) {
            socket.send("{\"type\":\"input\",\"data\":\"echo $0; stty size; exit\\r\"}");
            assertThat(socket.awaitMessage("exit").get("exitCode").getIntValue())
                    .isZero();
            assertThat(socket.text()).contains("sh\r\n").contains("24 80\r\n");
            assertThat(socket.awaitClose()).isEqualTo(1000);
        }
    }

    @Test
    void theQueryNamesCommandAndSize() {
        try (var socket = exec("?command=sh&command=-c&command=stty%20size;exit%203&cols=120&rows=40")) {
            assertThat(socket.awaitMessage("exit").get("exitCode").getIntValue())
                    .isEqualTo(3);
            assertThat(socket.text()).isEqualTo("40 120\r\n");
        }
    }

    @Test
    void aTerminalIsResized() {
        try (var socket = exec("?command=sh&command=-c&command=read%20x;stty%20size")) {
            socket.send("{\"type\":\"resize\",\"cols\":99,\"rows\":31}");
            socket.send("{\"type\":\"input\",\"data\":\"\\r\"}");
            socket.awaitMessage("exit");
            assertThat(socket.text()).contains("31 99");
        }
    }

    @Test
    void withoutATerminalStderrIsApart() {
        try (var socket = exec("?tty=false&command=sh&command=-c&command=cat;echo%20oops%20%3E%262;exit%205")) {
            socket.send("{\"type\":\"input\",\"data\":\"in\\n\"}");
            Wait.until(() -> stream(socket, "").equals("in\n"));
            socket.send("{\"type\":\"end\"}");
            assertThat(socket.awaitMessage("exit").get("exitCode").getIntValue())
                    .isEqualTo(5);
            assertThat(stream(socket, "")).isEqualTo("in\n");
            assertThat(stream(socket, "stderr")).isEqualTo("oops\n");
        }
    }

    @Test
    void aCharacterIsNeverCut() {
        try (var socket = exec(
                "?tty=false&command=sh&command=-c&command=printf%20'%5C342';sleep%200.3;printf%20'%5C202%5C254!%5C377'")) {
            socket.awaitMessage("exit");
            assertThat(socket.text()).isEqualTo("€!\uFFFD");
        }
    }

    @Test
    void aCommandThatCannotStartIsAnError() {
        try (var socket = exec("?tty=false&command=/no/such/program")) {
            assertThat(socket.awaitMessage("error").get("code").getStringValue())
                    .isEqualTo("COMMAND_FAILED");
            socket.awaitClose();
        }
        try (var socket = exec("?command=/no/such/program")) {
            assertThat(socket.awaitMessage("error").get("message").getStringValue())
                    .isNotEmpty();
            socket.awaitClose();
        }
    }

    @Test
    void creditForTheLastOutputIsHeardFromWhoTypedMoreThanTheCommandRead(@TempDir Path folder) throws IOException {
        var typed = folder.resolve("typed");
        var command = "head -c 1 > /dev/null; printf %010000d 0; until [ -e " + typed + " ]; do sleep 0.05; done";
        var query = URLEncoder.encode(command, StandardCharsets.UTF_8);
        try (var socket = exec("?tty=false&command=sh&command=-c&command=" + query, Socket.BINARY)) {
            socket.frame(68, 10, "");
            for (int i = 1; i <= 40; i++) {
                socket.type(i, "x".repeat(60_000));
            }
            socket.frame(68, 100_000, "");
            Files.createFile(typed);
            socket.awaitFrame(2);
            assertThat(socket.outputBytes()).hasSize(10_000);
        }
    }

    @Test
    void invalidFramesAreAnsweredAndItGoesOn() {
        try (var socket = exec("?command=cat")) {
            socket.send("not json").send("[]").send("{\"type\":\"dance\"}").send("{\"type\":\"resize\",\"cols\":-1}");
            Wait.until(() -> socket.messages().stream()
                            .filter(message ->
                                    message.get("type").getStringValue().equals("error"))
                            .count()
                    == 4);
            socket.send("{\"type\":\"input\",\"data\":\"on\\r\"}");
            socket.awaitText(text -> text.contains("on\r\non\r\n"));
        }
    }

    @Test
    void theCommandEndsWithItsClient() {
        Socket socket = exec("?tty=false&command=sleep&command=7211.25");
        Wait.until(() -> running("sleep 7211.25"));
        socket.cut();
        Wait.until(() -> !running("sleep 7211.25"));
        Socket other = exec("?command=sleep&command=7212.25");
        Wait.until(() -> running("sleep 7212.25"));
        other.cut();
        Wait.until(() -> !running("sleep 7212.25"));
    }

    private static boolean running(String command) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info()
                        .commandLine()
                        .map(line -> line.endsWith(command))
                        .orElse(false));
    }

    @Test
    void aBinaryClientThatWasCutOffComesBack() {
        String terminal;
        try (var socket = exec("?command=cat&source=me", Socket.BINARY)) {
            terminal = socket.awaitFrame(5).json().get("terminal").getStringValue();
            socket.type(1, "one\n").awaitOutput(seen -> seen.equals("one\r\none\r\n"));
            socket.cut();
        }
        try (var again = relay.http().socket(id + "/pty/" + terminal + "/ws?source=me&from=5", Socket.BINARY)) {
            again.type(2, "two\n").awaitOutput(seen -> seen.equals("one\r\ntwo\r\ntwo\r\n"));
        }
    }

    @Test
    void whatCannotBeIsRefusedBeforeTheWebSocketOpens() {
        assertThat(HandshakeRefused.statusOf(() -> exec("?cols=0"))).isEqualTo(400);
        assertThat(HandshakeRefused.statusOf(() -> exec("?rows=many"))).isEqualTo(400);
        assertThat(HandshakeRefused.statusOf(() -> exec("?tty=perhaps"))).isEqualTo(400);
        assertThat(HandshakeRefused.statusOf(
                        () -> relay.http().socket("sbx-00000000000000000000000000/exec/interactive")))
                .isEqualTo(404);
    }

    @Test
    void aCommandWhoseClientDoesNotReturnEndsAfterAWhile() {
        var settings = Map.<String, Object>of(
                "bivouac.terminal.hold",
                "300ms",
                "bivouac.terminal.look-every",
                "100ms",
                "bivouac.terminal.per-user",
                10_000);
        try (var impatient = TestRelay.start(settings)) {
            var box = impatient.sandbox();
            try (var _ = impatient.agent(box)) {
                var pty = impatient
                        .http()
                        .post(box + "/pty", Map.of("command", "cat"))
                        .text("id");
                var socket = impatient.http().socket(box + "/exec/interactive?command=cat", Socket.BINARY);
                var attached = socket.awaitFrame(frame -> frame.text().contains("attached"))
                        .json();
                var command = attached.get("terminal").getStringValue();
                socket.cut();
                Wait.until(() -> impatient
                        .http()
                        .get(box + "/pty/" + command)
                        .text("status")
                        .equals("terminated"));
                // A terminal of the PTYs' door waits for as long as it likes.
                assertThat(impatient.http().get(box + "/pty/" + pty).text("status"))
                        .isEqualTo("active");
            }
        }
    }
}
