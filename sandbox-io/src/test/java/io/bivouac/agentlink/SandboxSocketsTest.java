package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.runtime.RelaySockets;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each sandbox has a socket of its own, for as long as it has a folder for it. */
class SandboxSocketsTest {
    @TempDir
    Path folder;

    private TestRelay relay;
    private RelaySockets sockets;

    @BeforeEach
    void start() {
        relay = TestRelay.start(folder, Map.of());
        sockets = new RelaySockets(folder);
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    private static List<Path> in(Path folder) throws IOException {
        try (var entries = Files.list(folder)) {
            return entries.toList();
        }
    }

    /** The one socket in the sandbox's folder. */
    private Path socketOf(SandboxId id) {
        Wait.until(() -> {
            try {
                return in(sockets.of(id)).stream()
                        .anyMatch(file -> file.toString().endsWith(SocketFolder.SUFFIX));
            } catch (IOException gone) {
                return false;
            }
        });
        try {
            return in(sockets.of(id)).getFirst();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private RealAgent agent(SandboxId id) {
        var token = relay.bean(SandboxTokens.class).joinToken(id);
        var agent = RealAgent.start(sockets.of(id), id, token);
        relay.await(id, SandboxState.RUNNING);
        return agent;
    }

    private void serves(SandboxId id) {
        var answer = relay.http().post(id + "/exec", Map.of("command", List.of("true")));
        assertThat(answer.number("exitCode")).isZero();
    }

    private double waiting() {
        return relay.bean(MeterRegistry.class)
                .counter("bivouac.agents.connections.waiting")
                .count();
    }

    @Test
    void anAgentMeetsItsRelayAtItsOwnSocket() {
        var id = relay.sandbox();
        sockets.make(id);
        try (var _ = agent(id)) {
            serves(id);
        }
    }

    @Test
    void whoHoldsAllItsConnectionsKeepsNobodyElseOut() throws IOException {
        var flooding = relay.sandbox();
        sockets.make(flooding);
        var held = new ArrayList<SocketChannel>();
        try {
            var address = UnixDomainSocketAddress.of(socketOf(flooding));
            boolean full = false;
            while (!full) {
                var one = SocketChannel.open(StandardProtocolFamily.UNIX);
                one.configureBlocking(false);
                held.add(one);
                full = isFull(one, address);
                assertThat(held).hasSizeLessThan(1_000);
            }
            Wait.until(() -> waiting() > 0);
            var other = relay.sandbox();
            sockets.make(other);
            try (var _ = agent(other)) {
                serves(other);
            }
        } finally {
            for (var one : held) {
                one.close();
            }
        }
        // Its own agent gets through as soon as there is a place again.
        try (var _ = agent(flooding)) {
            serves(flooding);
        }
    }

    /** A connect that would have to wait is no error of the JDK's for TCP, and one for Unix sockets. */
    private static boolean isFull(SocketChannel channel, UnixDomainSocketAddress address) throws IOException {
        try {
            return !channel.connect(address);
        } catch (SocketException wouldWait) {
            return true;
        }
    }

    @Test
    void aSocketGoesWithItsFolderAndComesWithAnotherOne() throws IOException {
        var id = relay.sandbox();
        sockets.make(id);
        socketOf(id);
        sockets.remove(id);
        assertThat(sockets.of(id)).doesNotExist();
        sockets.make(id);
        try (var _ = agent(id)) {
            serves(id);
        }
        sockets.remove(id);
        sockets.remove(id);
    }

    @Test
    void theNextRelayFindsTheSandboxesAndRemovesWhatAKilledOneLeft() throws IOException {
        var id = relay.sandbox();
        sockets.make(id);
        socketOf(id);
        relay.close();
        assertThat(in(sockets.of(id))).isEmpty();
        // As a kill would leave it: nobody listens there, and no relay has a name that ends like this.
        Files.createFile(sockets.of(id).resolve("killed00" + SocketFolder.SUFFIX));
        relay = TestRelay.start(folder, Map.of());
        try (var _ = agent(id)) {
            serves(id);
            assertThat(in(sockets.of(id))).singleElement().isEqualTo(socketOf(id));
        }
    }

    @Test
    void twoRelaysListenForTheSandboxesOfBoth() throws IOException {
        var id = relay.sandbox();
        sockets.make(id);
        socketOf(id);
        try (var second = TestRelay.start(folder, Map.of())) {
            assertThat(second.sockets()).isEqualTo(folder);
            Wait.until(() -> {
                try {
                    return in(sockets.of(id)).size() == 2;
                } catch (IOException gone) {
                    return false;
                }
            });
        }
        assertThat(in(sockets.of(id))).hasSize(1);
        try (var _ = agent(id)) {
            serves(id);
        }
    }
}
