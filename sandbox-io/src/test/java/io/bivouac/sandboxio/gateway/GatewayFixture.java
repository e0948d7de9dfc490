package io.bivouac.sandboxio.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.foundation.access.LimitChange;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A gateway with a program behind it. The agent runs as a process of this machine, so the sandbox's loopback address is
 * ours.
 */
abstract class GatewayFixture {
    final HttpClient http = HttpClient.newHttpClient();
    final Map<String, List<String>> seen = new ConcurrentHashMap<>();
    HttpServer program;
    TestRelay relay;
    RealAgent agent;
    SandboxId sandbox;

    @BeforeEach
    void start() throws IOException {
        program = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        program.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        program.createContext("/", this::serve);
        program.start();
        relay = TestRelay.start(Map.of("bivouac.gateway.port", 0, "bivouac.gateway.connections-per-sandbox", 3));
        sandbox = relay.sandbox();
        agent = relay.agent(sandbox);
    }

    @AfterEach
    void stop() {
        agent.close();
        relay.close();
        program.stop(0);
        http.close();
    }

    /** One answer with a Content-Length. */
    static String answer(Socket socket) throws IOException {
        var head = head(socket.getInputStream());
        int length = Stream.of(head.split("\r\n"))
                .filter(line -> line.toLowerCase().startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(head));
        return head + new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    private void serve(HttpExchange exchange) throws IOException {
        seen.clear();
        exchange.getRequestHeaders().forEach((name, values) -> seen.put(name.toLowerCase(), values));
        seen.put(":path", List.of(exchange.getRequestURI().toString()));
        var body = exchange.getRequestBody().readAllBytes();
        switch (exchange.getRequestURI().getPath()) {
            case "/echo" -> {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(body);
            }
            case "/moved" -> {
                exchange.getResponseHeaders().add("Location", "/there");
                exchange.sendResponseHeaders(302, -1);
            }
            case "/cookies" -> {
                exchange.getResponseHeaders().add("Set-Cookie", "mine=1; Path=/; Domain=127.0.0.1");
                exchange.getResponseHeaders().add("Set-Cookie", "bivouac_session=forged; Path=/");
                exchange.getResponseHeaders().add("Strict-Transport-Security", "max-age=1");
                exchange.sendResponseHeaders(200, -1);
            }
            default -> {
                var text = "hello".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, text.length);
                exchange.getResponseBody().write(text);
            }
        }
        exchange.close();
    }

    String base() {
        return relay.bean(GatewayAddresses.class).base();
    }

    String path(String rest) {
        return "/sandbox/" + sandbox + "/port/" + program.getAddress().getPort() + rest;
    }

    /** The key of another project. */
    String stranger() {
        return relay.project(LimitChange.ofSandboxes(null)).firstKey().value();
    }

    String token() {
        return relay.bean(AccessTokens.class).current(sandbox);
    }

    HttpResponse<String> get(String url, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url));
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> withToken(String rest) throws Exception {
        return get(base() + path(rest), "X-Access-Token", token());
    }

    int status(String path) {
        try {
            return get(base() + path, "X-API-Key", TestRelay.KEY).statusCode();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    String raw(String request) throws IOException {
        var url = URI.create(base());
        try (var socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            var first = new byte[12];
            int count = socket.getInputStream().readNBytes(first, 0, first.length);
            return new String(first, 0, Math.max(0, count), StandardCharsets.ISO_8859_1);
        }
    }

    static String head(java.io.InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        return head.toString();
    }

    String tcp(int port) {
        return ("GET /sandbox/%s/port/%d HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: bivouac-tcp\r\n"
                        + "X-Access-Token: %s\r\n\r\n")
                .formatted(sandbox, port, token());
    }

    static String chunk(Socket client) throws IOException {
        var size = new StringBuilder();
        while (size.indexOf("\r\n") < 0) {
            size.append((char) client.getInputStream().read());
        }
        var bytes = client.getInputStream()
                .readNBytes(Integer.parseInt(size.toString().strip(), 16));
        client.getInputStream().readNBytes(2);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
