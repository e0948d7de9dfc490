package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Heartbeat;
import io.bivouac.agent.v1.Output;
import io.bivouac.agent.v1.Pong;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.agent.v1.Register;
import io.bivouac.agent.v1.Stream;
import io.bivouac.agent.v1.Usage;
import io.bivouac.agentlink.testing.HandMadeAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegistrationTest {
    private static TestRelay relay;
    private HandMadeAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.agent.ping-timeout", "500ms"));
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @BeforeEach
    void dial() {
        agent = new HandMadeAgent(relay.sockets());
    }

    @AfterEach
    void hangUp() {
        agent.close();
    }

    private static String token(SandboxId id) {
        return relay.bean(SandboxTokens.class).joinToken(id);
    }

    @Test
    void theRightTokenIsWelcomeAndTheSandboxRuns() throws Exception {
        var id = relay.sandbox();
        var call = agent.register(id, token(id));

        assertThat(call.next().getRegistered().getHeartbeatSeconds()).isEqualTo(30);
        relay.await(id, SandboxState.RUNNING);
    }

    @Test
    void noOtherTokenIsWelcome() throws Exception {
        var id = relay.sandbox();
        var other = relay.sandbox();
        assertThat(agent.register(id, token(other)).end()).isEqualTo(Code.UNAUTHENTICATED);
        for (var guess : List.of(
                "", "guess", "x".repeat(10_000), relay.bean(SandboxTokens.class).accessToken(id, 0))) {
            try (var guesser = new HandMadeAgent(relay.sockets())) {
                assertThat(guesser.register(id, guess).end()).isEqualTo(Code.UNAUTHENTICATED);
            }
        }
        var nobody = SandboxId.next();
        try (var guesser = new HandMadeAgent(relay.sockets())) {
            assertThat(guesser.register(nobody, token(nobody)).end()).isEqualTo(Code.UNAUTHENTICATED);
        }
        assertThat(relay.bean(SandboxStore.class).find(id).orElseThrow().state())
                .isEqualTo(SandboxState.STARTING);
    }

    @Test
    void aSandboxOnItsWayOutTakesNoAgent() throws Exception {
        var id = relay.sandbox();
        relay.bean(SandboxStore.class).on(id, new StopRequested());

        assertThat(agent.register(id, token(id)).end()).isEqualTo(Code.FAILED_PRECONDITION);
    }

    @Test
    void anotherProtocolIsRefused() throws Exception {
        var call = agent.connect()
                .send(AgentMessage.newBuilder()
                        .setRegister(Register.newBuilder().setProtocol(7))
                        .build());

        assertThat(call.end()).isEqualTo(Code.FAILED_PRECONDITION);
    }

    @Test
    void aSecondAgentIsRefusedWhileTheFirstAnswers() throws Exception {
        var id = relay.sandbox();
        try (var real = relay.agent(id)) {
            assertThat(agent.register(id, token(id)).end()).isEqualTo(Code.ALREADY_EXISTS);
            assertThat(real.pid()).isPositive();
            assertThat(relay.http()
                            .post(id + "/exec", Map.of("command", List.of("true")))
                            .number("exitCode"))
                    .isZero();
        }
    }

    @Test
    void aSecondAgentReplacesOneThatNoLongerAnswers() throws Exception {
        var id = relay.sandbox();
        try (var real = relay.agent(id)) {
            real.signal("STOP");

            assertThat(agent.register(id, token(id)).next().hasRegistered()).isTrue();
        }
    }

    @Test
    void aStreamBelongsToTheConnectionThatRegistered() throws Exception {
        var id = relay.sandbox();
        try (var real = relay.agent(id)) {
            assertThat(real.pid()).isPositive();
            var call = agent.process()
                    .send(ProcessUp.newBuilder()
                            .setOpened(ProcessOpened.newBuilder().setReaderId("1"))
                            .build());

            assertThat(call.end()).isEqualTo(Code.UNAUTHENTICATED);
        }
    }

    @Test
    void aReaderThatNobodyAskedForIsRefusedAlone() throws Exception {
        var id = relay.sandbox();
        var control = agent.register(id, token(id));
        assertThat(control.next()).isNotNull();

        var call = agent.process()
                .send(ProcessUp.newBuilder()
                        .setOpened(ProcessOpened.newBuilder().setReaderId("77"))
                        .build());

        assertThat(call.end()).isEqualTo(Code.NOT_FOUND);
        assertThat(control.isOpen()).isTrue();
    }

    @Test
    void messagesOutOfOrderCloseTheConnection() throws Exception {
        assertThat(agent.connect()
                        .send(AgentMessage.newBuilder()
                                .setHeartbeat(Heartbeat.getDefaultInstance())
                                .build())
                        .end())
                .isEqualTo(Code.INVALID_ARGUMENT);
        var id = relay.sandbox();
        try (var twice = new HandMadeAgent(relay.sockets())) {
            var call = twice.register(id, token(id));
            assertThat(call.next()).isNotNull();
            assertThat(call.send(HandMadeAgent.registration(id.value(), token(id)))
                            .end())
                    .isEqualTo(Code.INVALID_ARGUMENT);
        }
        try (var invented = new HandMadeAgent(relay.sockets())) {
            var call = invented.register(id, token(id));
            assertThat(call.next()).isNotNull();
            assertThat(call.send(AgentMessage.newBuilder()
                                    .setPong(Pong.newBuilder().setNonce(99))
                                    .build())
                            .end())
                    .isEqualTo(Code.INVALID_ARGUMENT);
        }
    }

    @Test
    void hugeMessagesCloseTheConnectionAndHarmNobodyElse() throws Exception {
        var id = relay.sandbox();
        var other = relay.sandbox();
        try (var real = relay.agent(other)) {
            assertThat(real.pid()).isPositive();
            var call = agent.register(id, "x".repeat(2 * Bounds.LARGEST_MESSAGE));

            assertThat(call.end()).isIn(Code.RESOURCE_EXHAUSTED, Code.CANCELLED);
            assertThat(relay.http()
                            .post(other + "/exec", Map.of("command", List.of("true")))
                            .number("exitCode"))
                    .isZero();
        }
    }

    @Test
    void aHeartbeatTellsTheUsage() throws Exception {
        var id = relay.sandbox();
        var call = agent.register(id, token(id));
        assertThat(call.next()).isNotNull();
        call.send(AgentMessage.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder().setUsage(Usage.newBuilder().setMemoryBytes(4711)))
                .build());

        var connection = relay.bean(AgentConnections.class).find(id).orElseThrow();
        Wait.until(() -> connection.usage() != null);
        assertThat(connection.usage().memoryBytes()).isEqualTo(4711);
    }

    /** A made-up output: each closes the connection, and the one who waits is told. */
    @Test
    void outputThatNoAgentWouldSendIsNotPassedOn() throws Exception {
        var lies = List.of(
                output(Stream.STDOUT, 5, "later"),
                output(Stream.STDOUT, 0, ""),
                output(Stream.STDOUT, 0, "x".repeat(70_000)),
                output(Stream.STREAM_UNSPECIFIED, 0, "x"),
                ProcessUp.getDefaultInstance());
        for (var lie : lies) {
            var id = relay.sandbox();
            try (var liar = new HandMadeAgent(relay.sockets())) {
                var control = liar.register(id, token(id));
                assertThat(control.next().hasRegistered()).isTrue();
                relay.await(id, SandboxState.RUNNING);
                var answer = CompletableFuture.supplyAsync(
                        () -> relay.http().post(id + "/process/run", Map.of("command", "true")));
                var run = control.next().getRun();
                liar.process().send(opened(run.getReaderId())).send(lie);

                assertThat(control.end()).isEqualTo(Code.INVALID_ARGUMENT);
                assertThat(answer.get().number("code")).isEqualTo(9003);
            }
        }
    }

    @Test
    void anAgentThatIgnoresTheBoundDoesNotBreakIt() throws Exception {
        var id = relay.sandbox();
        var control = agent.register(id, token(id));
        assertThat(control.next().hasRegistered()).isTrue();
        relay.await(id, SandboxState.RUNNING);
        var answer = CompletableFuture.supplyAsync(
                () -> relay.http().post(id + "/process/run", Map.of("command", "true", "maxOutputSize", 10)));
        var run = control.next().getRun();
        agent.process()
                .send(opened(run.getReaderId()))
                .send(output(Stream.STDOUT, 0, "0123456789abcdef"))
                .send(ProcessUp.newBuilder().setExit(Exit.getDefaultInstance()).build());

        assertThat(answer.get().text("stdout")).isEqualTo("0123456789");
        assertThat(answer.get().body().get("truncated").getBooleanValue()).isTrue();
    }

    private static ProcessUp opened(String readerId) {
        return ProcessUp.newBuilder()
                .setOpened(ProcessOpened.newBuilder().setReaderId(readerId).setPid(1))
                .build();
    }

    private static ProcessUp output(Stream stream, long offset, String text) {
        return ProcessUp.newBuilder()
                .setOutput(
                        Output.newBuilder().setStream(stream).setOffset(offset).setData(ByteString.copyFromUtf8(text)))
                .build();
    }
}
