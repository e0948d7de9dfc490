package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two approvers have to agree, and one of them is at another relay than the agent. */
class QuorumTest {
    private static final String PERMISSIONS = "/api/v1/permissions/";
    private static final Map<String, Object> SETTINGS =
            Map.of("bivouac.permission.quorum", 2, "bivouac.permission.per-sandbox", 2);

    private TestRelay here;
    private TestRelay elsewhere;
    private SandboxId id;
    private RealAgent agent;

    @BeforeEach
    void start() {
        here = TestRelay.start(SETTINGS);
        id = here.sandbox();
        agent = here.agent(id);
        elsewhere = TestRelay.start(here.sockets(), SETTINGS);
    }

    @AfterEach
    void stop() {
        agent.close();
        elsewhere.close();
        here.close();
    }

    private static String answer(Http approver, String request, boolean granted, Instant until) {
        var body = new HashMap<String, Object>(Map.of("granted", granted));
        if (until != null) {
            body.put("expiresAt", until.toString());
        }
        return approver.post(PERMISSIONS + request + "/answer", body).text("state");
    }

    @Test
    void twoHaveToSayYesAndTheEarlierEndHolds() {
        var asking = PermissionTest.ask(here, id, "--action write --resource both --timeout 300");
        var one = here.newcomer();
        var other = elsewhere.newcomer();
        var request = PermissionTest.open(one, "both").get("id").getStringValue();
        var soon = Instant.now().plusSeconds(600).truncatedTo(ChronoUnit.SECONDS);
        assertThat(answer(one, request, true, soon.plusSeconds(600))).isEqualTo("open");
        assertThat(answer(one, request, true, soon.plusSeconds(600))).isEqualTo("open");
        assertThat(answer(other, request, true, soon)).isEqualTo("granted");
        assertThat(asking.join().number("exitCode")).isZero();
        var until = Instant.parse(one.get(PERMISSIONS + request).text("grantedUntil"));
        assertThat(until).isEqualTo(soon);
    }

    @Test
    void oneNoIsEnough() {
        var asking = PermissionTest.ask(here, id, "--action write --resource no --timeout 300");
        var one = here.newcomer();
        var request = PermissionTest.open(one, "no").get("id").getStringValue();
        assertThat(answer(one, request, true, null)).isEqualTo("open");
        assertThat(answer(elsewhere.newcomer(), request, false, null)).isEqualTo("denied");
        assertThat(asking.join().number("exitCode")).isEqualTo(1);
    }

    @Test
    void aClientAtAnotherRelayHearsAndAnswersInTheBinaryProtocol() {
        var approver = elsewhere.newcomer();
        var pty = approver.post(id + "/pty", Map.of("cols", 80, "rows", 24));
        try (var socket = approver.socket(id + "/pty/" + pty.text("id") + "/ws", Socket.BINARY)) {
            var asking = PermissionTest.ask(here, id, "--action write --resource far --timeout 300");
            var asked = socket.awaitFrame(
                            frame -> frame.type() == 5 && frame.text().contains("permission_request"))
                    .json();
            var request = asked.get("requestId").getStringValue();
            assertThat(answer(here.newcomer(), request, true, null)).isEqualTo("open");
            socket.frame(
                    69, 0, "{\"type\":\"permission_response\",\"requestId\":\"" + request + "\",\"granted\":true}");
            assertThat(asking.join().number("exitCode")).isZero();
            socket.awaitFrame(frame -> frame.type() == 5 && frame.text().contains("permission_resolved"));
        }
    }

    @Test
    void whatIsTooMuchIsDeniedAtOnce() {
        var first = PermissionTest.ask(here, id, "--action a --resource r1 --timeout 300");
        var second = PermissionTest.ask(here, id, "--action a --resource r2 --timeout 300");
        var http = here.newcomer();
        var one = PermissionTest.open(http, "r1").get("id").getStringValue();
        var two = PermissionTest.open(http, "r2").get("id").getStringValue();
        var third = PermissionTest.ask(here, id, "--action a --resource r3 --timeout 300")
                .join();
        assertThat(third.text("stdout")).contains("too many questions");
        answer(http, one, false, null);
        answer(http, two, false, null);
        assertThat(first.join().number("exitCode")).isEqualTo(1);
        assertThat(second.join().number("exitCode")).isEqualTo(1);
    }

    @Test
    void aQuestionOutlivesTheRelayItCameTo() {
        var asking = here.http()
                .post(
                        id + "/process/run",
                        Map.of(
                                "command",
                                RealAgent.ask(id) + " --action a --resource survives --timeout 300 && touch granted",
                                "background",
                                true));
        assertThat(asking.status()).isLessThan(300);
        var http = elsewhere.newcomer();
        var request = PermissionTest.open(http, "survives").get("id").getStringValue();
        here.close();
        answer(http, request, true, null);
        answer(elsewhere.newcomer(), request, true, null);
        Wait.until(() -> agent.workspace().resolve("granted").toFile().exists());
    }
}
