package io.bivouac.identity.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.agentlink.testing.Wait;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GuardedFetchTest {
    private static final int PLACES = 32;
    private static final int PLACES_OF_A_HOST = 8;

    @Test
    void strangersTakeNoPlacesOfPods() throws Exception {
        var fetch = new GuardedFetch("127.0.0.0/8", new SimpleMeterRegistry());
        var held = new ArrayList<Socket>();
        var waiting = new AtomicInteger();
        try (var slow = new ServerSocket(0, 2 * PLACES);
                var quick = new ServerSocket(0, 1)) {
            for (int i = 0; i < PLACES; i++) {
                var host = "127.0." + i / PLACES_OF_A_HOST + ".1";
                Thread.ofVirtual().start(() -> askInVain(fetch, address(host, slow)));
            }
            Thread.ofVirtual().start(() -> hold(slow, held, waiting));
            Thread.ofVirtual().start(() -> answer(quick));
            Wait.until(() -> waiting.get() == PLACES);

            assertThatThrownBy(() -> fetch.get(address("127.0.9.1", quick), "*/*"))
                    .hasMessageContaining("too many");
            assertThat(fetch.forPods()
                            .exchange("GET", address("127.0.9.1", quick), Map.of(), null)
                            .isFound())
                    .isTrue();
            for (var socket : held) {
                socket.close();
            }
        } finally {
            fetch.close();
        }
    }

    @Test
    void aSlowHostKeepsOnlyItsOwnGuestsOut() throws Exception {
        var fetch = new GuardedFetch("127.0.0.0/8", new SimpleMeterRegistry());
        var held = new ArrayList<Socket>();
        var waiting = new AtomicInteger();
        try (var slow = new ServerSocket(0, 2 * PLACES);
                var quick = new ServerSocket(0, 1)) {
            for (int i = 0; i < PLACES_OF_A_HOST; i++) {
                Thread.ofVirtual().start(() -> askInVain(fetch, address("127.0.0.1", slow)));
            }
            Thread.ofVirtual().start(() -> hold(slow, held, waiting));
            Thread.ofVirtual().start(() -> answer(quick));
            Wait.until(() -> waiting.get() == PLACES_OF_A_HOST);

            assertThatThrownBy(() -> fetch.get(address("127.0.0.1", slow), "*/*"))
                    .hasMessageContaining("too many documents are being fetched there");
            assertThat(fetch.get(address("127.0.9.1", quick), "*/*").isFound()).isTrue();
            for (var socket : held) {
                socket.close();
            }
        } finally {
            fetch.close();
        }
    }

    private static URI address(String host, ServerSocket server) {
        return URI.create("http://" + host + ":" + server.getLocalPort() + "/");
    }

    private static void askInVain(GuardedFetch fetch, URI url) {
        try {
            fetch.get(url, "*/*");
        } catch (FetchFailed expected) {
            // It is held until the test is over.
        }
    }

    private static void hold(ServerSocket server, ArrayList<Socket> held, AtomicInteger waiting) {
        try {
            while (waiting.get() < PLACES) {
                held.add(server.accept());
                waiting.incrementAndGet();
            }
        } catch (IOException over) {
            // The test is.
        }
    }

    private static void answer(ServerSocket server) {
        try (var socket = server.accept()) {
            socket.getInputStream().read(new byte[4096]);
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException over) {
            // The test is.
        }
    }
}
