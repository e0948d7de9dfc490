package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The requests that a server sends to itself while it starts. */
class RequestRehearsalTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Test
    void everyRequestIsSentWithTheKeyAndItsAnswerRead() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            seen.add(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath() + " "
                            + exchange.getRequestHeaders().getFirst("X-API-Key"));
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(404, 2);
            exchange.getResponseBody().write("{}".getBytes());
            exchange.close();
        });
        server.start();
        try {
            new RequestRehearsal(
                            URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "bvk_test")
                    .run();
        } finally {
            server.stop(0);
        }
        assertThat(seen).hasSize(12).startsWith("POST /api/v1/sandboxes bvk_test");
        assertThat(seen.getLast()).isEqualTo("GET /api/v1/sandboxes bvk_test");
    }

    @Test
    void nothingIsSentToAServerWithTls() throws IOException {
        new RequestRehearsal(URI.create("https://127.0.0.1:1"), "bvk_test").run();
        assertThat(seen).isEmpty();
    }
}
