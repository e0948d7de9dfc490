package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PermissionMetricsTest {
    private static final String PERMISSIONS = "/api/v1/permissions/";
    private static final String SESSIONS = "/-/terminal/sessions";

    private TestRelay relay;
    private SandboxId id;
    private RealAgent agent;
    private Http http;

    @BeforeEach
    void start() {
        relay = TestRelay.start(Map.of("bivouac.permission.look-every", "100ms"));
        id = relay.sandbox();
        agent = relay.agent(id);
        http = relay.newcomer();
    }

    @AfterEach
    void stop() {
        agent.close();
        relay.close();
    }

    private Timer timer(String part) {
        return relay.bean(MeterRegistry.class)
                .get("terminal.permission.passage")
                .tag("part", part)
                .timer();
    }

    private void awaitPassed(long questions, long answers) {
        Wait.until(
                () -> timer("question").count() >= questions && timer("answer").count() >= answers);
        assertThat(timer("question").count()).isEqualTo(questions);
        assertThat(timer("answer").count()).isEqualTo(answers);
    }

    @Test
    void thePassageOfQuestionsAndAnswersIsTimedThroughWhicheverDoor() {
        var until = Instant.now().plusSeconds(600).toString();
        var asking = PermissionTest.ask(relay, id, "--action write --resource by-request");
        var request = PermissionTest.open(http, "by-request").get("id").getStringValue();
        http.post(PERMISSIONS + request + "/answer", Map.of("granted", true, "expiresAt", until));
        assertThat(asking.join().number("exitCode")).isZero();
        awaitPassed(1, 1);

        answerOverTheWebSocket();
        awaitPassed(2, 2);
        assertThat(timer("question").totalTime(TimeUnit.NANOSECONDS)).isPositive();
        assertThat(timer("answer").totalTime(TimeUnit.NANOSECONDS)).isPositive();

        // Nobody is shown what a grant covers, and nobody answers what runs out.
        PermissionTest.ask(relay, id, "--action write --resource by-request").join();
        PermissionTest.ask(relay, id, "--action write --resource never --timeout 1")
                .join();
        awaitPassed(3, 2);
    }

    private void answerOverTheWebSocket() {
        var program = RealAgent.ask(id) + " --action write --resource in-session --timeout 60; echo done $?";
        var order = Map.of("sandboxId", id.value(), "command", "sh", "args", List.of("-c", program));
        var session = http.post(SESSIONS, order).text("sessionId");
        try (var socket = http.socket(SESSIONS + "/" + session + "/ws")) {
            var asked =
                    socket.awaitMessage("permission_request").get("requestId").getStringValue();
            socket.send("{\"type\":\"permission_response\",\"requestId\":\"" + asked + "\",\"granted\":true}");
            socket.awaitText(seen -> seen.contains("done 0"));
        }
    }
}
