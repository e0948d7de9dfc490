package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.Http.Answer;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.outbox.EventRow;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.json.tree.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PermissionTest {
    private static final String PERMISSIONS = "/api/v1/permissions";
    private static final String SESSIONS = "/-/terminal/sessions";

    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;
    private static Http http;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.permission.look-every", "100ms"));
        id = relay.sandbox();
        agent = relay.agent(id);
        http = relay.newcomer();
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    /** A program that asks, and what becomes of it. */
    static CompletableFuture<Answer> ask(TestRelay relay, SandboxId id, String arguments) {
        return CompletableFuture.supplyAsync(() ->
                relay.http().post(id + "/process/run", Map.of("command", RealAgent.ask(id) + " --json " + arguments)));
    }

    private static CompletableFuture<Answer> ask(String arguments) {
        return ask(relay, id, arguments);
    }

    static JsonNode open(Http http, String resource) {
        var found = new JsonNode[1];
        Wait.until(() -> {
            for (var item :
                    http.get(PERMISSIONS + "?state=open").body().get("items").values()) {
                if (item.get("resource").getStringValue().equals(resource)) {
                    found[0] = item;
                }
            }
            return found[0] != null;
        });
        return found[0];
    }

    private static String openId(String resource) {
        return open(http, resource).get("id").getStringValue();
    }

    private static Answer answer(Http approver, String request, Object... fields) {
        var body = new java.util.HashMap<String, Object>();
        for (int i = 0; i < fields.length; i += 2) {
            body.put((String) fields[i], fields[i + 1]);
        }
        return approver.post(PERMISSIONS + "/" + request + "/answer", body);
    }

    private static Http newcomer(Role role) {
        return relay.http(relay.bean(ApiKeys.class)
                .make(relay.caller(), "newcomer", role, false)
                .text()
                .value());
    }

    @Test
    void aQuestionIsSeenAnsweredToldAndAudited() {
        var asking = ask("--action file_write --resource /etc/hosts --description 'add a name' --timeout 120");
        var question = open(http, "/etc/hosts");
        var request = question.get("id").getStringValue();
        assertThat(question.get("action").getStringValue()).isEqualTo("file_write");
        assertThat(question.get("description").getStringValue()).isEqualTo("add a name");
        assertThat(question.get("source").getStringValue()).isEqualTo("script");
        assertThat(question.get("cwd").getStringValue())
                .isEqualTo(agent.workspace().toString());

        assertThat(answer(http, request, "granted", true).text("state")).isEqualTo("granted");
        var done = asking.join();
        assertThat(done.number("exitCode")).isZero();
        assertThat(done.text("stdout")).contains("\"granted\":true").contains(request);

        var again = answer(http, request, "granted", false);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.number("code")).isEqualTo(4302);
        assertThat(types()).containsSubsequence("permission.requested", "permission.resolved");
        assertThat(acts(request)).containsExactly("permission.granted", "permission.requested");
        assertThat(relay.bean(Audit.class).firstBroken(relay.caller().project()))
                .isEmpty();
    }

    private static List<String> types() {
        return relay.bean(Outbox.class).history(id.value(), 0, 500).items().stream()
                .map(EventRow::type)
                .toList();
    }

    private static List<String> acts(String request) {
        return relay.bean(Audit.class).list(relay.caller().project(), Long.MAX_VALUE, 200).items().stream()
                .filter(row -> row.subject().equals(request))
                .map(row -> row.action())
                .toList();
    }

    @Test
    void aNoIsANoWithItsReason() {
        var asking = ask("--action deploy --resource production");
        assertThat(answer(http, openId("production"), "granted", false, "reason", "not on\u202E a Friday")
                        .status())
                .isEqualTo(200);
        var done = asking.join();
        assertThat(done.number("exitCode")).isEqualTo(1);
        assertThat(done.text("stdout")).contains("\"granted\":false").contains("not on\uFFFD a Friday");
    }

    @Test
    void nobodyInTimeIsANo() {
        var done = ask("--action deploy --resource never --timeout 1").join();
        assertThat(done.number("exitCode")).isEqualTo(1);
        assertThat(done.text("stdout")).contains("nobody answered in time");
        var denied = http.get(PERMISSIONS + "?state=denied&limit=100").body().get("items");
        assertThat(denied.values()).anySatisfy(item -> {
            assertThat(item.get("resource").getStringValue()).isEqualTo("never");
            assertThat(item.get("decidedBy")).isNull();
        });
    }

    @Test
    void aProgramThatGivesUpWithdrawsItsQuestion() {
        var started = relay.http()
                .post(
                        id + "/process/run",
                        Map.of(
                                "command",
                                RealAgent.ask(id) + " --action a --resource gives-up --timeout 300",
                                "background",
                                true));
        var request = openId("gives-up");
        relay.http().post(id + "/process/" + started.text("commandId") + "/kill", Map.of("signal", 9));
        Wait.until(() -> http.get(PERMISSIONS + "/" + request).text("state").equals("denied"));
        assertThat(http.get(PERMISSIONS + "/" + request).text("reason")).isEqualTo("withdrawn");
        assertThat(answer(http, request, "granted", true).status()).isEqualTo(409);
    }

    @Test
    void aLastingYesCoversTheSameQuestionAndNoOther() {
        var until = Instant.now().plusSeconds(600).toString();
        var first = ask("--action write --resource lasting");
        var request = openId("lasting");
        assertThat(answer(http, request, "granted", true, "expiresAt", until).status())
                .isEqualTo(200);
        assertThat(first.join().number("exitCode")).isZero();
        assertThat(ask("--action write --resource lasting").join().text("stdout"))
                .contains(request);
        assertThat(acts(request)).startsWith("permission.covered");

        assertThat(ask("--action write --resource lasting --description other --timeout 1")
                        .join()
                        .number("exitCode"))
                .isEqualTo(1);
        assertThat(http.delete(PERMISSIONS + "/" + request + "/grant").status()).isEqualTo(204);
        assertThat(ask("--action write --resource lasting --timeout 1").join().number("exitCode"))
                .isEqualTo(1);
        assertThat(http.delete(PERMISSIONS + "/" + request + "/grant").status()).isEqualTo(409);
    }

    @Test
    void onlyApproversAnswerAndBadAnswersChangeNothing() {
        var asking = ask("--action write --resource guarded --timeout 300");
        var request = openId("guarded");
        assertThat(answer(newcomer(Role.VIEWER), request, "granted", true).status())
                .isEqualTo(403);
        assertThat(answer(relay.http("bvk_wrong"), request, "granted", true).status())
                .isEqualTo(401);
        assertThat(answer(http, request).status()).isEqualTo(400);
        assertThat(answer(http, request, "granted", "maybe").status()).isEqualTo(400);
        assertThat(answer(http, request, "granted", true, "expiresAt", "2001-01-01T00:00:00Z")
                        .status())
                .isEqualTo(400);
        assertThat(answer(http, request, "granted", true, "expiresAt", "2999-01-01T00:00:00Z")
                        .status())
                .isEqualTo(400);
        assertThat(answer(http, request, "granted", true, "reason", "x".repeat(2000))
                        .status())
                .isEqualTo(400);
        assertThat(answer(http, "perm_00000000000000000000000000", "granted", true)
                        .status())
                .isEqualTo(404);
        assertThat(answer(http, "sbx-1", "granted", true).status()).isEqualTo(404);
        assertThat(http.get(PERMISSIONS + "?state=half").status()).isEqualTo(400);
        assertThat(http.get(PERMISSIONS + "/" + request).text("state")).isEqualTo("open");
        assertThat(answer(newcomer(Role.DEVELOPER), request, "granted", true).status())
                .isEqualTo(200);
        assertThat(asking.join().number("exitCode")).isZero();
    }

    private static Socket attach(Http client, String command, String... protocols) {
        var made =
                client.post(SESSIONS, Map.of("sandboxId", id.value(), "command", "sh", "args", List.of("-c", command)));
        return client.socket(SESSIONS + "/" + made.text("sessionId") + "/ws", protocols);
    }

    @Test
    void aSessionsClientHearsTheQuestionAndAnswersIt() {
        var program = RealAgent.ask(id) + " --action file_write --resource in-session --timeout 60; echo done $?";
        try (var socket = attach(http, program)) {
            var asked = socket.awaitMessage("permission_request");
            assertThat(asked.get("resource").getStringValue()).isEqualTo("in-session");
            assertThat(asked.get("timeout").getIntValue()).isEqualTo(60);
            var request = asked.get("requestId").getStringValue();
            assertThat(http.get(PERMISSIONS + "/" + request).text("sessionId")).startsWith("sess_");
            socket.send("{\"type\":\"permission_response\",\"requestId\":\"" + request + "\",\"granted\":\"yes\"}");
            assertThat(socket.awaitMessage("error").get("message").getStringValue())
                    .contains("granted");
            socket.send("{\"type\":\"permission_response\",\"requestId\":\"" + request + "\",\"granted\":true}");
            socket.awaitText(seen -> seen.contains("done 0"));
            var resolved = socket.awaitMessage("permission_resolved");
            assertThat(resolved.get("granted").getBooleanValue()).isTrue();
        }
    }

    @Test
    void aClientThatComesLaterSeesWhatIsOpenAndAViewerDoesNot() {
        var made = http.post(
                SESSIONS,
                Map.of(
                        "sandboxId",
                        id.value(),
                        "command",
                        "sh",
                        "args",
                        List.of(
                                "-c",
                                RealAgent.ask(id) + " --action a --resource seen-later --timeout 300; echo done $?")));
        var request = openId("seen-later");
        var path = SESSIONS + "/" + made.text("sessionId") + "/ws";
        try (var viewer = newcomer(Role.VIEWER).socket(path);
                var approver = newcomer(Role.DEVELOPER).socket(path)) {
            assertThat(approver.awaitMessage("permission_request")
                            .get("requestId")
                            .getStringValue())
                    .isEqualTo(request);
            viewer.send("{\"type\":\"permission_response\",\"requestId\":\"" + request + "\",\"granted\":true}");
            assertThat(viewer.awaitMessage("error").get("code").getStringValue())
                    .isEqualTo("FORBIDDEN");
            // Answered elsewhere, the question is taken back here.
            answer(http, request, "granted", false);
            assertThat(approver.awaitMessage("permission_resolved")
                            .get("granted")
                            .getBooleanValue())
                    .isFalse();
            viewer.awaitText(seen -> seen.contains("done 1"));
            assertThat(viewer.messages())
                    .noneMatch(message -> message.get("type").getStringValue().startsWith("permission"));
        }
    }
}
