package io.bivouac.sandboxio.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.port.PublishedPort;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What ports do when the machine has nothing left to give. */
class FailingPortsTest {
    @Test
    void aListenerThatCannotAcceptTriesLessAndLessOften() throws Exception {
        var tries = new AtomicInteger();
        var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()) {
            @Override
            public Socket accept() throws IOException {
                tries.incrementAndGet();
                throw new SocketException("Too many open files");
            }
        };
        long begun = System.nanoTime();
        try (var _ = PortListener.listen(SandboxId.next(), 8000, null, full)) {
            Wait.until(() -> tries.get() == 5);
        }
        // 20, 40, 80 and 160 ms lie between five tries.
        assertThat(System.nanoTime() - begun).isGreaterThan(200_000_000L);
    }

    @Test
    void whereOnePortCannotBeListenedAtNoneIs() {
        var opened = new java.util.ArrayList<Integer>();

        assertThatThrownBy(() -> PortListeners.all(List.of(8000, 8001), port -> {
                    if (port == 8001) {
                        throw new IllegalStateException("no port is left");
                    }
                    try {
                        var listener = PortListener.open(SandboxId.next(), port, 0, null);
                        opened.add(listener.hostPort());
                        return listener;
                    } catch (IOException failed) {
                        throw new IllegalStateException(failed);
                    }
                }))
                .hasMessage("no port is left");

        // The kernel lets go of a port only when the thread that waits at it has been woken.
        Wait.until(() -> isRefused(opened.getFirst()));
    }

    private static boolean isRefused(int port) {
        try (var _ = new Socket(PublishedPort.HOST, port)) {
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
