package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.Run;
import io.bivouac.agent.v1.Terminal;
import io.bivouac.agent.v1.TerminalInput;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an agent does for a relay it does in the same way for one that it is not connected to. */
class AgentContractTest {
    private static final int SIGTERM = 15;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static TestRelay one;
    private static TestRelay neighbour;
    private static TestRelay faraway;
    private static SandboxId id;
    private static RealAgent process;

    enum Where {
        HERE,
        AT_A_RELAY_WITH_THE_SAME_FOLDER,
        AT_A_RELAY_REACHED_BY_TLS;

        TestRelay relay() {
            return switch (this) {
                case HERE -> one;
                case AT_A_RELAY_WITH_THE_SAME_FOLDER -> neighbour;
                case AT_A_RELAY_REACHED_BY_TLS -> faraway;
            };
        }

        Agent agent() {
            return relay().bean(AgentConnections.class).get(id);
        }
    }

    @BeforeAll
    static void start() {
        one = TestRelay.start(TestRelay.byTls());
        neighbour = TestRelay.start(one.sockets(), Map.of());
        faraway = TestRelay.start(TestRelay.byTls());
        id = one.sandbox();
        process = one.agent(id);
        Wait.until(() -> Where.HERE.agent() instanceof AgentConnection
                && Where.AT_A_RELAY_WITH_THE_SAME_FOLDER.agent() instanceof RemoteAgent
                && Where.AT_A_RELAY_REACHED_BY_TLS.agent() instanceof RemoteAgent);
    }

    @AfterAll
    static void stop() {
        process.close();
        List.of(faraway, neighbour, one).forEach(TestRelay::close);
    }

    private static Run.Builder shell(String line) {
        return Run.newBuilder()
                .setCommandId("contract-" + NUMBER.incrementAndGet())
                .setShellLine(line);
    }

    private static CommandInfo find(Agent agent, String commandId) {
        return agent.commands().stream()
                .filter(info -> info.getCommandId().equals(commandId))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void aCommandTakesItsInputAndGivesItsOutputAndItsExitCode(Where where) {
        var heard = new Heard();
        var run = shell("cat; echo trouble >&2; exit 3");
        where.agent().run(run, ByteString.copyFromUtf8("a question"), heard);
        assertThat(heard.awaitEnd()).isEqualTo("exit 3");
        assertThat(heard.text()).contains("a question").contains("2:trouble");
    }

    @ParameterizedTest
    @EnumSource
    void aCommandThatCannotStartSaysWhy(Where where) {
        var heard = new Heard();
        where.agent().run(shell("true").setCwd("/no/such/folder"), ByteString.EMPTY, heard);
        assertThat(heard.awaitEnd()).startsWith("CANNOT_START").contains("/no/such/folder");
    }

    @ParameterizedTest
    @EnumSource
    void aReaderThatAsksForNothingHoldsItsCommandBackAndLosesNothing(Where where) {
        long all = 48L << 20;
        var heard = new Heard().hold();
        var run = shell("head -c %d /dev/zero".formatted(all));
        where.agent().run(run, ByteString.EMPTY, heard);
        heard.stream();
        long written = -1;
        for (long now = 0; now == 0 || now != written; now = writtenBy(where, run)) {
            written = now;
            pause();
        }
        assertThat(written).isBetween(1L, all / 4);
        heard.release();
        assertThat(heard.awaitEnd()).isEqualTo("exit 0");
        assertThat(heard.bytes()).isEqualTo(all);
    }

    private static long writtenBy(Where where, Run.Builder run) {
        return find(where.agent(), run.getCommandId()).getStdoutBytes();
    }

    /** Long enough for megabytes to pass, if nothing held them back. */
    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSignalEndsACommandAndOneForNobodyIsRefused(Where where) {
        var heard = new Heard();
        var run = shell("exec sleep 600");
        where.agent().run(run, ByteString.EMPTY, heard);
        heard.stream();
        assertThat(where.agent().kill(run.getCommandId(), SIGTERM).getOk()).isTrue();
        assertThat(heard.awaitEnd()).isEqualTo("exit -15");
        assertThat(where.agent().kill("contract-none", SIGTERM).getFailure().getKind())
                .isEqualTo(Failure.Kind.NO_SUCH_COMMAND);
    }

    @ParameterizedTest
    @EnumSource
    void aReaderThatLeavesLetsABackgroundCommandGoOnAndOneThatStopsItEndsIt(Where where) {
        var heard = new Heard();
        var run = shell("echo begun; exec sleep 600").setBackground(true);
        where.agent().run(run, ByteString.EMPTY, heard);
        heard.awaitText("begun");
        heard.stream().detach();
        var again = new Heard();
        where.agent()
                .attach(Attach.newBuilder().setCommandId(run.getCommandId()).setStdout(true), again);
        again.awaitText("begun");
        assertThat(find(where.agent(), run.getCommandId()).getRunning()).isTrue();
        again.stream().stop();
        Wait.until(() -> !find(where.agent(), run.getCommandId()).getRunning());
    }

    @ParameterizedTest
    @EnumSource
    void aTerminalIsTypedToAndSeenByWhoComesLater(Where where) {
        var run = shell("stty -echo; echo ready; cat")
                .setTerminal(Terminal.newBuilder().setColumns(80).setRows(24).setInputSource("first"));
        var first = new Heard();
        where.agent().start(run, first);
        first.awaitText("ready");
        Wait.until(() -> first.stream().trySend(typed("typed\n")));
        first.awaitText("typed");
        var later = new Heard();
        where.agent()
                .attach(
                        Attach.newBuilder()
                                .setCommandId(run.getCommandId())
                                .setStdout(true)
                                .setScreen(true),
                        later);
        later.awaitText("[screen]");
        later.awaitText("typed");
        first.stream().stop();
        assertThat(later.awaitEnd()).startsWith("exit ");
    }

    private static ProcessDown typed(String text) {
        return ProcessDown.newBuilder()
                .setInput(TerminalInput.newBuilder().setSequence(1).setData(ByteString.copyFromUtf8(text)))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void aPortCarriesBytesBothWaysAndEachSidesEnd(Where where) throws IOException {
        try (var program = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                var stream = where.agent().openPort(program.getLocalPort());
                var served = program.accept()) {
            stream.awaitOpen();
            served.getOutputStream().write(bytes("welcome"));
            assertThat(read(stream, 7)).isEqualTo("welcome");
            served.shutdownOutput();
            assertThat(stream.read()).isNull();
            // The program has said all and still listens.
            stream.write(ByteString.copyFromUtf8("thanks"));
            stream.end();
            assertThat(new String(served.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("thanks");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPortWhereNobodyListensSaysSo(Where where) throws IOException {
        int free;
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = taken.getLocalPort();
        }
        try (var stream = where.agent().openPort(free)) {
            assertThatThrownBy(stream::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("port " + free)
                    .hasMessageContaining("refused");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatIsClosedHereEndsInTheSandbox(Where where) throws IOException {
        try (var program = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                var stream = where.agent().openPort(program.getLocalPort());
                var served = program.accept()) {
            stream.awaitOpen();
            stream.close();
            Wait.until(() -> isOver(served));
        }
    }

    private static boolean isOver(java.net.Socket served) {
        try {
            served.setSoTimeout(100);
            return served.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whenTheAgentIsGoneSoIsItsReader(Where where) {
        var other = one.sandbox();
        var heard = new Heard();
        try (var mortal = one.agent(other)) {
            var agent = where.relay().bean(AgentConnections.class).get(other);
            agent.start(shell("exec sleep 600").setStdin(true), heard);
            heard.stream();
            mortal.signal("KILL");
            assertThat(heard.awaitEnd()).isEqualTo("The connection to the sandbox's agent broke.");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String read(CarriedStream stream, int length) throws IOException {
        var all = ByteString.EMPTY;
        while (all.size() < length) {
            all = all.concat(stream.read());
        }
        return all.toStringUtf8();
    }
}
