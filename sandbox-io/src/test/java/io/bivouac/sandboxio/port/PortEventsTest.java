package io.bivouac.sandboxio.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agent.v1.ListeningPort;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PortEventsTest {
    private TestRelay relay;

    @BeforeEach
    void start() {
        relay = TestRelay.start(Map.of("bivouac.gateway.port", 0));
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    @Test
    void aServerThatStartsAndEndsIsTold() throws IOException {
        var sandbox = relay.sandbox();
        int port = freePort();
        try (var _ = relay.agent(sandbox)) {
            var processes = "/api/v1/sandboxes/" + sandbox + "/process";
            var line = "exec python3 -m http.server " + port + " --bind 127.0.0.1";
            var run = relay.http().post(processes + "/run", Map.of("command", line, "background", true));
            assertThat(run.status()).isEqualTo(200);
            Wait.until(() -> told(sandbox, port).size() == 1);
            assertThat(told(sandbox, port).getFirst()).contains("port-opened", "python3");
            var command = run.body().get("commandId").getStringValue();
            relay.http().post(processes + "/" + command + "/kill", Map.of("signal", 9));
            Wait.until(() -> told(sandbox, port).size() == 2);
            assertThat(told(sandbox, port).getLast()).contains("port-closed", "python3");
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void anotherReportOfTheSamePortsTellsNothingNew() {
        var sandbox = relay.sandbox();
        try (var _ = relay.agent(sandbox)) {
            var events = relay.bean(PortEvents.class);
            // As of an agent that was started anew, so that the real one's reports are not mixed in.
            events.listening(sandbox, "boot", List.of(port(8000), port(8001)));
            Wait.until(
                    () -> told(sandbox, 8000).size() == 1 && told(sandbox, 8001).size() == 1);
            events.listening(sandbox, "boot", List.of(port(8000), port(8001)));
            events.listening(sandbox, "boot", List.of(port(8001)));
            Wait.until(() -> told(sandbox, 8000).size() == 2);
            assertThat(told(sandbox, 8000).getLast()).contains("port-closed");
            assertThat(told(sandbox, 8001)).hasSize(1);
            events.listening(sandbox, "next boot", List.of(port(8001)));
            Wait.until(() -> told(sandbox, 8001).size() == 2);
            assertThat(told(sandbox, 8001))
                    .allSatisfy(event -> assertThat(event).contains("port-opened"));
        }
    }

    @Test
    void manyPortsAreToldAtABoundedRate() {
        var sandbox = relay.sandbox();
        try (var _ = relay.agent(sandbox)) {
            var many = IntStream.range(0, EventAllowance.MOST_IN_WINDOW + 5)
                    .mapToObj(number -> port(20_000 + number))
                    .toList();
            relay.bean(PortEvents.class).listening(sandbox, "boot", many);
            Wait.until(() -> told(sandbox).size() >= EventAllowance.MOST_IN_WINDOW);
            var allowance = new EventAllowance(0);
            assertThat(IntStream.range(0, 100).filter(_ -> allowance.take(1)).count())
                    .isEqualTo(EventAllowance.MOST_IN_WINDOW);
            assertThat(allowance.take(EventAllowance.WINDOW.toNanos())).isTrue();
            Wait.until(() -> told(sandbox).size() >= many.size());
        }
    }

    private static ListeningPort port(int number) {
        return ListeningPort.newBuilder().setPort(number).setProgram("python3").build();
    }

    private List<String> told(SandboxId sandbox, int port) {
        return told(sandbox).stream()
                .filter(event -> event.contains("\"port\":" + port + ","))
                .toList();
    }

    /** The events of its ports, oldest first. */
    private List<String> told(SandboxId sandbox) {
        return relay.texts("SELECT envelope FROM events WHERE subject = '" + sandbox
                + "' AND type LIKE 'sandbox.port-%' ORDER BY sequence");
    }
}
