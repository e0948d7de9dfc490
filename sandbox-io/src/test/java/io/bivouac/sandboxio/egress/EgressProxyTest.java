package io.bivouac.sandboxio.egress;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.bivouac.agentlink.testing.HandMadeAgent;
import io.bivouac.agentlink.testing.HandMadeAgent.Call;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.AuditRow;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.transition.Happening.EgressChanged;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import io.grpc.Status.Code;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent is made by hand here: whatever it says, the relay decides. */
class EgressProxyTest {
    /** Stands for an address outside: the operator has opened it. */
    private static final String OUTSIDE = "127.0.0.2";

    private static TestRelay relay;
    private ServerSocket server;
    private ServerSocket inside;
    private HandMadeAgent agent;
    private SandboxId sandbox;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(
                Map.of("bivouac.egress.allow-private", OUTSIDE + "/32", "bivouac.egress.audit-connections", true));
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @BeforeEach
    void dial() throws Exception {
        listen();
        sandbox = relay.sandbox();
        agent = new HandMadeAgent(relay.sockets());
        agent.registered(sandbox, relay.bean(SandboxTokens.class).joinToken(sandbox));
        relay.await(sandbox, SandboxState.RUNNING);
        allow(server());
    }

    /** At one port, outside and inside; one that is free outside may be taken inside. */
    private void listen() throws IOException {
        while (inside == null || inside.isClosed()) {
            server = new ServerSocket(0, 8, InetAddress.getByName(OUTSIDE));
            try {
                inside = new ServerSocket(server.getLocalPort(), 8, InetAddress.getByName("127.0.0.1"));
            } catch (BindException taken) {
                server.close();
            }
        }
    }

    @AfterEach
    void hangUp() throws IOException {
        agent.close();
        server.close();
        inside.close();
    }

    private String server() {
        return OUTSIDE + ":" + server.getLocalPort();
    }

    private void allow(String... hosts) {
        relay.bean(SandboxStore.class).on(sandbox, new EgressChanged(EgressPolicy.allowing(List.of(hosts))));
    }

    private Call<CarriedUp, CarriedDown> say(String text) {
        return agent.egress().send(data(text));
    }

    private static CarriedUp data(String text) {
        return CarriedUp.newBuilder()
                .setData(ByteString.copyFrom(text, StandardCharsets.ISO_8859_1))
                .build();
    }

    private Call<CarriedUp, CarriedDown> tunnel() throws InterruptedException {
        var call = say("CONNECT " + server() + " HTTP/1.1\r\n\r\n");
        assertThat(heard(call)).isEqualTo("HTTP/1.1 200 Connection established\r\n\r\n");
        return call;
    }

    private static String heard(Call<CarriedUp, CarriedDown> call) throws InterruptedException {
        var next = call.next();
        return next == null ? null : next.getData().toString(StandardCharsets.ISO_8859_1);
    }

    private List<AuditRow> audited(String action) {
        return relay.bean(Audit.class).list(relay.caller().project(), Long.MAX_VALUE, 200).items().stream()
                .filter(row ->
                        row.subject().equals(sandbox.value()) && row.action().equals(action))
                .toList();
    }

    @Test
    void aTunnelCarriesBytesBothWaysAndEachSideMayEndFirst() throws Exception {
        var call = tunnel();
        try (var served = server.accept()) {
            call.send(data("question"));
            assertThat(served.getInputStream().readNBytes(8)).asString().isEqualTo("question");
            call.sentAll();
            assertThat(served.getInputStream().read()).isEqualTo(-1);
            served.getOutputStream().write("answer".getBytes(StandardCharsets.UTF_8));
            assertThat(heard(call)).isEqualTo("answer");
        }
        assertThat(call.next().getEnd()).isTrue();
        assertThat(call.end()).isEqualTo(Code.OK);
        Wait.until(() -> !audited("egress.connected").isEmpty());
        assertThat(audited("egress.connected").getFirst().detail()).isEqualTo(server());
    }

    @Test
    void whatFollowsTheConnectAtOnceIsNotLost() throws Exception {
        var call = say("CONNECT " + server() + " HTTP/1.1\r\n\r\nhello");
        try (var served = server.accept()) {
            assertThat(served.getInputStream().readNBytes(5)).asString().isEqualTo("hello");
            assertThat(call.isOpen()).isTrue();
        }
    }

    @Test
    void aPlainRequestIsPassedOnInOriginForm() throws Exception {
        var call = say("POST http://" + server() + "/a HTTP/1.1\r\nHost: evil\r\nContent-Length: 2\r\n\r\n");
        call.send(data("hi"));
        try (var served = server.accept()) {
            var head = "POST /a HTTP/1.1\r\nHost: " + server() + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi";
            assertThat(served.getInputStream().readNBytes(head.length()))
                    .asString()
                    .isEqualTo(head);
            served.getOutputStream().write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(heard(call)).startsWith("HTTP/1.1 204");
    }

    @ParameterizedTest
    @CsvSource({
        "CONNECT 127.0.0.1:%d HTTP/1.1,                  403",
        "CONNECT [::ffff:127.0.0.1]:%d HTTP/1.1,         403",
        "CONNECT [::1]:%d HTTP/1.1,                      403",
        "CONNECT localhost:%d HTTP/1.1,                  403",
        "CONNECT 169.254.169.254:80 HTTP/1.1,            403",
        "CONNECT 127.0.0.2:1 HTTP/1.1,                   403",
        "CONNECT evil.example:443 HTTP/1.1,              403",
        "CONNECT 2130706433:%d HTTP/1.1,                 400",
        "CONNECT 0x7f000002:%d HTTP/1.1,                 400",
        "CONNECT 127.2:%d HTTP/1.1,                      400",
        "CONNECT 127.0.0.2:%d evil:1 HTTP/1.1,           400",
        "GET http://127.0.0.1:%d/ HTTP/1.1,              403",
        "GET /latest/meta-data HTTP/1.1,                 400",
        "GET http://127.0.0.2:1/ HTTP/1.1,               403",
        "CONNECT 127.0.0.2:9 HTTP/1.1,                   502",
    })
    void whatIsNotAllowedIsRefusedAndSaidSo(String line, int status) throws Exception {
        // Also what is listed is not dialled when it leads inside.
        allow(
                server(),
                "localhost:" + server.getLocalPort(),
                "127.0.0.1:" + server.getLocalPort(),
                "[::1]:" + server.getLocalPort(),
                "169.254.169.254:80",
                "127.0.0.2:9");
        var call = say(line.replace("%d", Integer.toString(server.getLocalPort())) + "\r\n\r\n");
        var answer = heard(call);
        assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains("\r\n\r\nBivouac: ");
        assertThat(call.next().getEnd()).isTrue();
        call.sentAll();
        assertThat(call.end()).isEqualTo(Code.OK);
        inside.setSoTimeout(1);
        assertThat(org.assertj.core.api.Assertions.catchThrowable(inside::accept))
                .as("nobody came in")
                .isInstanceOf(java.net.SocketTimeoutException.class);
        if (status != 502) {
            assertThat(audited("egress.refused")).hasSize(1);
        }
    }

    @Test
    void aWithdrawnHostIsCutAndWhatIsStillAllowedIsNot() throws Exception {
        try (var other = new ServerSocket(0, 8, InetAddress.getByName(OUTSIDE))) {
            var kept = OUTSIDE + ":" + other.getLocalPort();
            allow(server(), kept);
            var withdrawn = tunnel();
            var allowed = say("CONNECT " + kept + " HTTP/1.1\r\n\r\n");
            assertThat(heard(allowed)).startsWith("HTTP/1.1 200");
            try (var cut = server.accept();
                    var served = other.accept()) {
                allow(kept);
                assertThat(withdrawn.end()).isEqualTo(Code.CANCELLED);
                assertThat(cut.getInputStream().read()).isEqualTo(-1);
                served.getOutputStream().write(1);
                assertThat(allowed.next().getData()).hasSize(1);
            }
            Wait.until(() -> !audited("egress.cut").isEmpty());
            assertThat(heard(say("CONNECT " + server() + " HTTP/1.1\r\n\r\n"))).startsWith("HTTP/1.1 403");
        }
    }

    /** Each relay hears of changes by the database, whoever makes them. */
    @Test
    void aListThatIsChangedAtAnotherServerCutsHere() throws Exception {
        try (var other = TestRelay.start()) {
            var call = tunnel();
            try (var served = server.accept()) {
                other.bean(SandboxStore.class).on(sandbox, new EgressChanged(EgressPolicy.NOTHING));
                assertThat(served.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(call.end()).isEqualTo(Code.CANCELLED);
        }
    }

    @Test
    void aConnectionOnWhichNothingMovesIsClosed() throws Exception {
        var impatient = Map.<String, Object>of(
                "bivouac.egress.allow-private", OUTSIDE + "/32", "bivouac.egress.idle-timeout", "1ms");
        try (var other = TestRelay.start(impatient);
                var there = new HandMadeAgent(other.sockets())) {
            var id = other.sandbox();
            there.registered(id, other.bean(SandboxTokens.class).joinToken(id));
            other.await(id, SandboxState.RUNNING);
            other.bean(SandboxStore.class).on(id, new EgressChanged(EgressPolicy.allowing(List.of(server()))));
            var call = there.egress().send(data("CONNECT " + server() + " HTTP/1.1\r\n\r\n"));
            assertThat(heard(call)).startsWith("HTTP/1.1 200 ");
            assertThat(call.end()).isEqualTo(Code.CANCELLED);
        }
    }

    @Test
    void aStoppedSandboxReachesNothing() throws Exception {
        var call = tunnel();
        try (var served = server.accept()) {
            relay.bean(SandboxStore.class).on(sandbox, new StopRequested());
            assertThat(served.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(call.end()).isEqualTo(Code.CANCELLED);
        assertThat(heard(say("CONNECT " + server() + " HTTP/1.1\r\n\r\n"))).startsWith("HTTP/1.1 403");
    }

    @Test
    void thePolicyIsThatOfTheSandboxWhoseAgentItIs() throws Exception {
        var neighbour = relay.sandbox();
        try (var other = new HandMadeAgent(relay.sockets())) {
            other.registered(neighbour, relay.bean(SandboxTokens.class).joinToken(neighbour));
            relay.await(neighbour, SandboxState.RUNNING);
            var call = other.egress().send(data("CONNECT " + server() + " HTTP/1.1\r\n\r\n"));
            assertThat(heard(call)).startsWith("HTTP/1.1 403 ");
        }
        try (var stranger = new HandMadeAgent(relay.sockets())) {
            assertThat(stranger.egress().end()).isEqualTo(Code.UNAUTHENTICATED);
        }
    }

    @Test
    void manyRefusalsGetFewRows() throws Exception {
        for (int i = 0; i < 30; i++) {
            assertThat(heard(say("CONNECT evil.example:443 HTTP/1.1\r\n\r\n"))).startsWith("HTTP/1.1 403");
        }
        assertThat(audited("egress.refused")).hasSizeLessThanOrEqualTo(20);
        assertThat(relay.bean(MeterRegistry.class)
                        .counter("bivouac.egress.connections", "result", "refused")
                        .count())
                .isGreaterThanOrEqualTo(30);
    }

    @Test
    void aHeadWithoutEndIsRefused() throws Exception {
        var call = say("CONNECT " + server() + " HTTP/1.1\r\nX: " + "x".repeat(RequestHead.LARGEST));
        assertThat(heard(call)).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void thereIsABoundOfConnectionsAndTheAgentGoesOn() throws Exception {
        for (int i = 0; i < 160; i++) {
            agent.egress();
        }
        assertThat(agent.egress().end()).isEqualTo(Code.RESOURCE_EXHAUSTED);
        assertThat(relay.await(sandbox, SandboxState.RUNNING).state()).isEqualTo(SandboxState.RUNNING);
    }

    /** What the server sends faster than the program takes stays with the server. */
    @Test
    void aProgramThatDoesNotReadHoldsUpItsServerOnly() throws Exception {
        var call = tunnel();
        try (var served = server.accept()) {
            var quiet = tunnel();
            try (var other = server.accept()) {
                other.getOutputStream().write("still here".getBytes(StandardCharsets.UTF_8));
                assertThat(heard(quiet)).isEqualTo("still here");
            }
            served.getOutputStream().write(new byte[1 << 20]);
            int taken = 0;
            while (taken < 1 << 20) {
                taken += call.next().getData().size();
            }
        }
    }
}
