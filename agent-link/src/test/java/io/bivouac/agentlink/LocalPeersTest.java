package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.agentlink.testing.Wait;
import org.junit.jupiter.api.Test;

class LocalPeersTest {
    private final LocalPeers peers = new LocalPeers();

    @Test
    void aProcessOfThisMachineIsInNoSandbox() {
        assertThat(peers.sandboxOf((int) ProcessHandle.current().pid())).isEqualTo(LocalPeers.NO_SANDBOX);
        assertThat(peers.sandboxOf(0)).isEqualTo(LocalPeers.NO_SANDBOX);
    }

    @Test
    void aProcessThatIsGoneIsUnknown() throws Exception {
        var gone = new ProcessBuilder("true").start();
        gone.waitFor();
        assertThat(peers.sandboxOf((int) gone.pid())).isEqualTo(LocalPeers.UNKNOWN);
    }

    @Test
    void processesOfOneNamespaceAreOneSandbox() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "process namespaces need root");
        var namespace =
                new ProcessBuilder("unshare", "--pid", "--fork", "sh", "-c", "sleep 60 & sleep 60 & wait").start();
        try {
            Wait.until(() -> namespace.descendants().count() == 3, () -> "a shell and two programs");
            var inside =
                    namespace.descendants().map(process -> (int) process.pid()).toList();
            int first = (int) namespace.children().findFirst().orElseThrow().pid();
            assertThat(inside)
                    .allSatisfy(pid -> assertThat(peers.sandboxOf(pid)).isEqualTo(first));
            assertThat(peers.sandboxOf((int) namespace.pid())).isEqualTo(LocalPeers.NO_SANDBOX);
        } finally {
            namespace.descendants().forEach(ProcessHandle::destroyForcibly);
            namespace.destroyForcibly();
        }
    }
}
