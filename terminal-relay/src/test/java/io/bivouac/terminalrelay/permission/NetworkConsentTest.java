package io.bivouac.terminalrelay.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.bivouac.agent.v1.PermissionAsked;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.agentlink.testing.HandMadeAgent;
import io.bivouac.agentlink.testing.HandMadeAgent.Call;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.presence.ApproverPresence;
import io.bivouac.sandboxes.egress.BlockedHosts;
import io.bivouac.sandboxes.egress.TemplateHosts;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.transition.Happening.EgressChanged;
import io.micronaut.json.tree.JsonNode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A closed host is a question to approvers who are there. */
class NetworkConsentTest {
    /** Stands for an address outside: the operator has opened it. */
    private static final String OUTSIDE = "127.0.0.2";

    private static final Map<String, Object> OPENED = Map.of("bivouac.egress.allow-private", OUTSIDE + "/32");

    private static TestRelay relay;
    private ServerSocket server;
    private SandboxId sandbox;
    private HandMadeAgent agent;
    private Call<AgentMessage, RelayMessage> control;
    private ApproverPresence.Seat approver;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(OPENED);
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @BeforeEach
    void dial() throws Exception {
        server = new ServerSocket(0, 64, InetAddress.getByName(OUTSIDE));
        sandbox = relay.sandbox();
        agent = new HandMadeAgent(relay.sockets());
        control = agent.register(sandbox, relay.bean(SandboxTokens.class).joinToken(sandbox));
        assertThat(control.next().hasRegistered()).isTrue();
        relay.await(sandbox, SandboxState.RUNNING);
        approver = relay.bean(ApproverPresence.class).joined(relay.caller().project(), sandbox.value());
    }

    @AfterEach
    void hangUp() throws Exception {
        approver.close();
        agent.close();
        server.close();
    }

    private String host() {
        return OUTSIDE + ":" + server.getLocalPort();
    }

    private Call<CarriedUp, CarriedDown> wish() {
        return agent.egress()
                .send(CarriedUp.newBuilder()
                        .setData(ByteString.copyFrom(
                                "CONNECT " + host() + " HTTP/1.1\r\nUser-Agent: curl/8.1 (x)\r\n\r\n",
                                StandardCharsets.ISO_8859_1))
                        .build());
    }

    private static String heard(Call<CarriedUp, CarriedDown> call) throws InterruptedException {
        return call.next().getData().toString(StandardCharsets.ISO_8859_1);
    }

    private List<JsonNode> questions(String state) {
        var listed = relay.http().get("/api/v1/permissions?sandboxId=" + sandbox + "&state=" + state);
        return StreamSupport.stream(listed.body().get("items").values().spliterator(), false)
                .toList();
    }

    private JsonNode asked() {
        Wait.until(() -> !questions("open").isEmpty());
        return questions("open").getFirst();
    }

    private Http.Answer answer(JsonNode question, Map<String, ?> answer) {
        var id = question.get("id").getStringValue();
        return relay.http().post("/api/v1/permissions/" + id + "/answer", answer);
    }

    private List<String> allowed() {
        return relay.bean(SandboxStore.class)
                .find(sandbox)
                .orElseThrow()
                .definition()
                .egress()
                .hosts();
    }

    @Test
    void aClosedHostWaitsForAnApproverAndGoesOnWithTheirYes() throws Exception {
        var call = wish();
        var question = asked();
        assertThat(question.get("action").getStringValue()).isEqualTo("network");
        assertThat(question.get("resource").getStringValue()).isEqualTo(host());
        assertThat(question.get("source").getStringValue()).isEqualTo("curl/8.1");
        assertThat(question.get("scopes").size()).isEqualTo(3);
        assertThat(answer(question, Map.of("granted", true)).text("scope")).isEqualTo("once");
        assertThat(heard(call)).startsWith("HTTP/1.1 200 ");
        server.accept().close();
        assertThat(allowed()).as("once").isEmpty();
        wish();
        assertThat(asked().get("id")).as("asked again").isNotEqualTo(question.get("id"));
    }

    @Test
    void aYesForThisOnceIsCutWhenTheListIsChangedAndNotByOtherNews() throws Exception {
        var call = wish();
        answer(asked(), Map.of("granted", true));
        assertThat(heard(call)).startsWith("HTTP/1.1 200 ");
        try (var served = server.accept()) {
            var second = wish();
            answer(asked(), Map.of("granted", false));
            assertThat(heard(second)).startsWith("HTTP/1.1 403 ");
            served.getOutputStream().write('x');
            assertThat(heard(call)).isEqualTo("x");
            relay.bean(SandboxStore.class).on(sandbox, new EgressChanged(EgressPolicy.allowing(List.of("a.example"))));
            assertThat(served.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void manyConnectionsToOneHostAreOneQuestion() throws Exception {
        var calls = new ArrayList<Call<CarriedUp, CarriedDown>>();
        IntStream.range(0, 20).forEach(_ -> calls.add(wish()));
        answer(asked(), Map.of("granted", true, "scope", "sandbox"));
        for (var call : calls) {
            assertThat(heard(call)).startsWith("HTTP/1.1 200 ");
        }
        assertThat(questions("granted")).hasSize(1);
        assertThat(allowed()).containsExactly(host());
    }

    @Test
    void moreConnectionsThanMayWaitAreRefusedAtOnce() {
        IntStream.range(0, 70).forEach(_ -> wish());
        var question = asked();
        // Written down at a refusal, and nobody has answered yet.
        Wait.until(() -> !relay.bean(BlockedHosts.class).of(sandbox).isEmpty());
        assertThat(questions("open")).hasSize(1);
        assertThat(answer(question, Map.of("granted", false)).status()).isEqualTo(200);
    }

    @Test
    void aYesForTheTemplateOpensTheHostForItsNewSandboxesToo() throws Exception {
        var call = wish();
        assertThat(answer(asked(), Map.of("granted", true, "scope", "template")).status())
                .isEqualTo(200);
        assertThat(heard(call)).startsWith("HTTP/1.1 200 ");
        assertThat(allowed()).containsExactly(host());
        assertThat(relay.bean(TemplateHosts.class)
                        .of(relay.caller().project(), "default")
                        .hosts())
                .contains(host());
        assertThat(relay.bean(TemplateHosts.class).of("another", "default").hosts())
                .isEmpty();
    }

    @Test
    void aNoIsRememberedForAWhileAndTheHostIsListedAsBlocked() throws Exception {
        var call = wish();
        answer(asked(), Map.of("granted", false, "reason", "not on a Friday"));
        assertThat(heard(call)).startsWith("HTTP/1.1 403 ").contains("not on a Friday");
        assertThat(heard(wish())).startsWith("HTTP/1.1 403 ").contains("not on a Friday");
        assertThat(questions("open")).isEmpty();
        assertThat(questions("denied")).hasSize(1);
        Wait.until(() -> !relay.bean(BlockedHosts.class).of(sandbox).isEmpty());
        var blocked = relay.bean(BlockedHosts.class).of(sandbox).getFirst();
        assertThat(blocked.target().toString()).isEqualTo(host());
        assertThat(blocked.program()).isEqualTo("curl/8.1");
    }

    @Test
    void withNobodyThereItIsRefusedAtOnceWithTheWayToAllowIt() throws Exception {
        approver.close();
        var refusal = heard(wish());
        assertThat(refusal)
                .startsWith("HTTP/1.1 403 ")
                .contains("bivouac sandbox egress")
                .contains("bivouac approve");
        assertThat(questions("open")).isEmpty();
    }

    @Test
    void aListThatSaysNotToAskIsNotAskedAbout() throws Exception {
        relay.bean(SandboxStore.class).on(sandbox, new EgressChanged(EgressPolicy.NOTHING.asking(false)));
        assertThat(heard(wish())).startsWith("HTTP/1.1 403 ");
        assertThat(questions("open")).isEmpty();
    }

    @Test
    void anApproverAtAnotherServerIsThereToo() throws Exception {
        approver.close();
        try (var other = TestRelay.start(OPENED)) {
            try (var _ =
                    other.bean(ApproverPresence.class).joined(relay.caller().project())) {
                Wait.until(() -> relay.bean(ApproverPresence.class)
                        .isAnybodyThere(relay.caller().project(), sandbox.value()));
                var call = wish();
                var id = asked().get("id").getStringValue();
                other.http().post("/api/v1/permissions/" + id + "/answer", Map.of("granted", true));
                assertThat(heard(call)).startsWith("HTTP/1.1 200 ");
            }
        }
        Wait.until(() -> !relay.bean(ApproverPresence.class)
                .isAnybodyThere(relay.caller().project(), sandbox.value()));
    }

    /** As after a server was killed: its question is there, and the program tries again. */
    @Test
    void aQuestionThatIsOpenAlreadyIsWaitedForAndNotAskedAgain() throws Exception {
        var call = wish();
        var question = asked();
        agent.close();
        assertThat(call.end()).isNotNull();
        agent = new HandMadeAgent(relay.sockets());
        agent.registered(sandbox, relay.bean(SandboxTokens.class).joinToken(sandbox));
        var again = wish();
        Wait.until(() -> questions("open").size() == 1);
        answer(question, Map.of("granted", true));
        assertThat(heard(again)).startsWith("HTTP/1.1 200 ");
        assertThat(questions("granted")).hasSize(1);
    }

    @Test
    void whatNobodyAnswersIsRefusedWhenItsTimeIsOver() throws Exception {
        var impatient = Map.<String, Object>of("bivouac.egress.ask-timeout", "1s");
        try (var other = TestRelay.start(impatient);
                var there = new HandMadeAgent(other.sockets())) {
            var id = other.sandbox();
            there.registered(id, other.bean(SandboxTokens.class).joinToken(id));
            other.await(id, SandboxState.RUNNING);
            try (var _ =
                    other.bean(ApproverPresence.class).joined(other.caller().project())) {
                var call = there.egress()
                        .send(CarriedUp.newBuilder()
                                .setData(ByteString.copyFromUtf8("CONNECT a.example:443 HTTP/1.1\r\n\r\n"))
                                .build());
                assertThat(heard(call)).startsWith("HTTP/1.1 403 ").contains("nobody answered in time");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sandbx", "all", ""})
    void aScopeThatIsNoneIsRefusedAndTheQuestionStaysOpen(String scope) throws Exception {
        wish();
        var question = asked();
        var refused = answer(question, Map.of("granted", true, "scope", scope));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("detail")).startsWith("scope must be once, sandbox or template.");
        assertThat(answer(question, Map.of("granted", false, "scope", "once")).status())
                .isEqualTo(400);
        assertThat(questions("open")).hasSize(1);
        answer(question, Map.of("granted", false));
    }

    /** Whatever a program calls its question, a yes to it opens no host. */
    @Test
    void aProgramsOwnQuestionAboutTheNetworkOpensNothing() throws Exception {
        control.send(AgentMessage.newBuilder()
                .setPermissionAsked(PermissionAsked.newBuilder()
                        .setQuestionId("q")
                        .setSource("network")
                        .setAction("network")
                        .setResource(host())
                        .setTimeoutSeconds(60))
                .build());
        var forged = asked();
        assertThat(forged.get("scopes")).isNull();
        assertThat(answer(forged, Map.of("granted", true, "scope", "sandbox")).status())
                .isEqualTo(400);
        var until = java.time.Instant.now().plusSeconds(600).toString();
        assertThat(answer(forged, Map.of("granted", true, "expiresAt", until)).status())
                .isEqualTo(200);
        wish();
        assertThat(asked().get("resource").getStringValue()).isEqualTo(host());
        assertThat(allowed()).isEmpty();
    }
}
