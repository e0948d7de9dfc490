package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.CarriedUp;
import io.bivouac.agent.v1.Heartbeat;
import io.bivouac.agent.v1.Output;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.agent.v1.Stream;
import io.bivouac.agentlink.testing.HandMadeAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.grpc.Status.Code;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A workload that has become its own agent sends garbage, too much, or without end. Everybody else goes on. */
class HostileAgentTest {
    private static TestRelay relay;
    private SandboxId id;
    private HandMadeAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start();
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @BeforeEach
    void dial() {
        id = relay.sandbox();
        agent = new HandMadeAgent(relay.sockets());
    }

    @AfterEach
    void hangUpAndSeeThatOthersAreServed() {
        agent.close();
        var other = relay.sandbox();
        try (var real = relay.agent(other)) {
            assertThat(real.pid()).isPositive();
            assertThat(relay.http()
                            .post(other + "/exec", Map.of("command", List.of("true")))
                            .number("exitCode"))
                    .isZero();
        }
    }

    private HandMadeAgent.Call<AgentMessage, ?> registered() throws Exception {
        var control = agent.register(id, relay.bean(SandboxTokens.class).joinToken(id));
        assertThat(control.next().hasRegistered()).isTrue();
        return control;
    }

    private static AgentMessage heartbeat() {
        return AgentMessage.newBuilder()
                .setHeartbeat(Heartbeat.getDefaultInstance())
                .build();
    }

    @Test
    void garbageIsNoProtocol() throws Exception {
        var random = new Random(11);
        for (int attempt = 0; attempt < 20; attempt++) {
            try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                channel.connect(UnixDomainSocketAddress.of(socket()));
                var noise = new byte[64 * 1024];
                random.nextBytes(noise);
                assertThat(isCutOff(channel, noise)).isTrue();
            }
        }
    }

    private static Path socket() throws IOException {
        try (var sockets = Files.list(relay.sockets())) {
            return sockets.findFirst().orElseThrow();
        }
    }

    /** Until the relay closes; it says goodbye first. */
    private static boolean isCutOff(SocketChannel channel, byte[] noise) {
        try {
            channel.write(ByteBuffer.wrap(noise));
            while (channel.read(ByteBuffer.allocate(1024)) >= 0) {
                // Its goodbye.
            }
            return true;
        } catch (IOException broken) {
            return true;
        }
    }

    @Test
    void heartbeatsWithoutEndCloseTheConnection() throws Exception {
        var control = registered();
        for (int beat = 0; beat < 10 * Bounds.UNASKED_AT_ONCE && control.isOpen(); beat++) {
            control.send(heartbeat());
        }
        assertThat(control.end()).isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    void aFewHeartbeatsAtOnceAreNoFault() throws Exception {
        var control = registered();
        for (int beat = 0; beat < Bounds.UNASKED_AT_ONCE / 2; beat++) {
            control.send(heartbeat());
        }
        var connection = relay.bean(AgentConnections.class).find(id).orElseThrow();
        Wait.until(() -> connection.usage() != null);
        assertThat(control.isOpen()).isTrue();
    }

    @Test
    void callsThatServeNobodyCloseTheConnection() throws Exception {
        double before = violations();
        var control = registered();
        for (int call = 0; call <= Bounds.UNOPENED_CALLS; call++) {
            // Without saying what it is for; half of them as a port's.
            if (call % 2 == 0) {
                agent.process();
            } else {
                agent.carry();
            }
        }
        assertThat(control.end()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(violations()).isGreaterThan(before);
    }

    private static double violations() {
        var counter = relay.bean(MeterRegistry.class)
                .find("bivouac.agents.violations")
                .counter();
        return counter == null ? 0 : counter.count();
    }

    @Test
    void aPortThatNobodyAskedForIsRefusedAlone() throws Exception {
        var control = registered();
        var call = agent.carry()
                .send(CarriedUp.newBuilder()
                        .setData(ByteString.copyFromUtf8("x"))
                        .build());
        assertThat(call.end()).isEqualTo(Code.NOT_FOUND);
        assertThat(control.isOpen()).isTrue();
    }

    @Test
    void connectionsOnWhichNobodyRegistersMakeRoom() throws Exception {
        var idle = new ArrayList<HandMadeAgent>();
        try {
            var calls = new ArrayList<HandMadeAgent.Call<AgentMessage, ?>>();
            for (int one = 0; one <= Bounds.UNREGISTERED; one++) {
                var silent = new HandMadeAgent(relay.sockets());
                idle.add(silent);
                calls.add(silent.connect());
            }
            Wait.until(() -> calls.stream().anyMatch(call -> !call.isOpen()));
            assertThat(registered().isOpen()).isTrue();
        } finally {
            idle.forEach(HandMadeAgent::close);
        }
    }

    @Test
    void outputOutOfOrderForAReaderAtAnotherRelayClosesTheConnection() throws Exception {
        double before = violations();
        var control = agent.register(id, relay.bean(SandboxTokens.class).joinToken(id));
        assertThat(control.next().hasRegistered()).isTrue();
        try (var other = TestRelay.start(relay.sockets(), Map.of())) {
            var answer = CompletableFuture.supplyAsync(
                    () -> other.http().post(id + "/process/run", Map.of("command", "true")));
            var run = control.next().getRun();
            agent.process()
                    .send(ProcessUp.newBuilder()
                            .setOpened(ProcessOpened.newBuilder()
                                    .setReaderId(run.getReaderId())
                                    .setPid(1))
                            .build())
                    .send(ProcessUp.newBuilder()
                            .setOutput(Output.newBuilder()
                                    .setStream(Stream.STDOUT)
                                    .setOffset(7)
                                    .setData(ByteString.copyFromUtf8("x")))
                            .build());
            assertThat(control.end()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(violations()).isGreaterThan(before);
            assertThat(answer.get().number("code")).isEqualTo(9003);
        }
    }

    /** What comes beyond the bound is dropped, and an end that never comes is not waited for: 16 s after the start. */
    @Test
    @Tag("soak")
    void outputWithoutEndIsGivenUp() throws Exception {
        var control = agent.register(id, relay.bean(SandboxTokens.class).joinToken(id));
        assertThat(control.next().hasRegistered()).isTrue();
        var answer = CompletableFuture.supplyAsync(() -> relay.http()
                .post(id + "/process/run", Map.of("command", "true", "maxOutputSize", 1000, "timeout", 1000)));
        var run = control.next().getRun();
        var process = agent.process();
        process.send(ProcessUp.newBuilder()
                .setOpened(ProcessOpened.newBuilder()
                        .setReaderId(run.getReaderId())
                        .setPid(1))
                .build());
        var piece = ByteString.copyFrom(new byte[Bounds.LARGEST_OUTPUT]);
        for (long offset = 0; process.isOpen() && !answer.isDone(); offset += piece.size()) {
            process.awaitReady();
            process.send(ProcessUp.newBuilder()
                    .setOutput(Output.newBuilder()
                            .setStream(Stream.STDOUT)
                            .setOffset(offset)
                            .setData(piece))
                    .build());
        }
        assertThat(answer.get().number("code")).isEqualTo(9003);
    }
}
