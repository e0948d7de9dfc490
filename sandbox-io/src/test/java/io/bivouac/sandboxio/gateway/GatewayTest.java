package io.bivouac.sandboxio.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent runs as a process of this machine here, so the sandbox's loopback address is ours. */
class GatewayTest {
    private static final int LARGE = 24 << 20;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, List<String>> seen = new ConcurrentHashMap<>();
    private HttpServer program;
    private TestRelay relay;
    private RealAgent agent;
    private SandboxId sandbox;

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

    private String base() {
        return relay.bean(GatewayAddresses.class).base();
    }

    private String path(String rest) {
        return "/sandbox/" + sandbox + "/port/" + program.getAddress().getPort() + rest;
    }

    private String token() {
        return relay.bean(AccessTokens.class).current(sandbox);
    }

    private HttpResponse<String> get(String url, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url));
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> withToken(String rest) throws Exception {
        return get(base() + path(rest), "X-Access-Token", token());
    }

    @Test
    void theSandboxsOwnTokenOpensItsPort() throws Exception {
        var answer = withToken("/page?a=b%2Fc//d");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("hello");
        assertThat(seen.get(":path")).containsExactly("/page?a=b%2Fc//d");
    }

    @Test
    void aDevelopersKeyOpensItAndAViewersDoesNot() throws Exception {
        assertThat(get(base() + path("/"), "Authorization", "Bearer " + TestRelay.KEY)
                        .statusCode())
                .isEqualTo(200);
        var viewer = relay.bean(ApiKeys.class).make(relay.caller(), "viewer", Role.VIEWER, false);
        assertThat(get(base() + path("/"), "X-API-Key", viewer.text().value()).statusCode())
                .isEqualTo(403);
    }

    @Test
    void nothingOfOursReachesTheProgram() throws Exception {
        var answer = get(
                base() + path("/"),
                "X-Access-Token",
                token(),
                "Authorization",
                "Bearer " + TestRelay.KEY,
                "X-API-Key",
                "anything",
                "Cookie",
                "a=1; bivouac_session=secret; __Host-bivouac_preview=x; b=2",
                "X-Forwarded-For",
                "6.6.6.6",
                "Keep-Alive",
                "timeout=5");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(seen).doesNotContainKeys("x-access-token", "authorization", "x-api-key", "keep-alive");
        assertThat(seen.get("cookie")).containsExactly("a=1; b=2");
        assertThat(seen.get("x-forwarded-for")).containsExactly("127.0.0.1");
        assertThat(seen.get("x-forwarded-prefix")).containsExactly(path(""));
    }

    @Test
    void theProgramsOwnAuthorizationReachesIt() throws Exception {
        get(base() + path("/"), "X-Access-Token", token(), "Authorization", "token of-jupyter");
        assertThat(seen.get("authorization")).containsExactly("token of-jupyter");
        get(base() + path("/"), "X-Access-Token", token(), "Authorization", "Bearer of-somebody-else");
        assertThat(seen.get("authorization")).containsExactly("Bearer of-somebody-else");
    }

    @Test
    void largeBodiesPassWholeBothWays() throws Exception {
        var sent = new byte[LARGE];
        new Random(3).nextBytes(sent);
        var request = HttpRequest.newBuilder(URI.create(base() + path("/echo")))
                .header("X-Access-Token", token())
                .POST(BodyPublishers.ofByteArray(sent));
        assertThat(Arrays.equals(
                        http.send(request.build(), BodyHandlers.ofByteArray()).body(), sent))
                .isTrue();
        // Of unknown length, so in chunks.
        request.POST(BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(sent)));
        assertThat(Arrays.equals(
                        http.send(request.build(), BodyHandlers.ofByteArray()).body(), sent))
                .isTrue();
    }

    @Test
    void aProgramThatDoesNotKnowItsPrefixIsStillFound() throws Exception {
        var moved = withToken("/moved");
        assertThat(moved.headers().firstValue("Location")).hasValue(path("/there"));
        var cookies = withToken("/cookies").headers();
        assertThat(cookies.allValues("Set-Cookie")).containsExactly("mine=1; Path=" + path("/"));
        assertThat(cookies.firstValue("Strict-Transport-Security")).isEmpty();
    }

    @Test
    void aPortWhereNobodyListensIs502() throws Exception {
        program.stop(0);
        var answer = withToken("/");
        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.body()).contains("\"code\":2101");
        var page = get(base() + path("/"), "X-Access-Token", token(), "Accept", "text/html");
        assertThat(page.statusCode()).isEqualTo(502);
        assertThat(page.body()).contains("<h1>").contains("No program answers");
    }

    @Test
    void anUnknownSandboxIs404AndAStoppedOne409() throws Exception {
        var unknown = base() + "/sandbox/" + SandboxId.next() + "/port/80/";
        assertThat(get(unknown, "X-API-Key", TestRelay.KEY).statusCode()).isEqualTo(404);
        relay.bean(SandboxStore.class).on(sandbox, new StopRequested());
        Wait.until(() -> status(path("/")) == 409);
    }

    private int status(String path) {
        try {
            return get(base() + path, "X-API-Key", TestRelay.KEY).statusCode();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void anotherTokenNoTokenAndAnEndedTokenAre401() throws Exception {
        assertThat(get(base() + path("/")).statusCode()).isEqualTo(401);
        var other = relay.bean(AccessTokens.class).current(relay.sandbox());
        assertThat(get(base() + path("/"), "X-Access-Token", other).statusCode())
                .isEqualTo(401);
        var old = token();
        assertThat(get(base() + path("/"), "X-Access-Token", old).statusCode()).isEqualTo(200);
        var fresh = relay.bean(AccessTokens.class).renew(sandbox, relay.caller());
        assertThat(get(base() + path("/"), "X-Access-Token", fresh).statusCode())
                .isIn(200, 401);
        Wait.until(() -> {
            try {
                return get(base() + path("/"), "X-Access-Token", old).statusCode() == 401;
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        assertThat(get(base() + path("/"), "X-Access-Token", fresh).statusCode())
                .isEqualTo(200);
    }

    @Test
    void aLinkIsExchangedForACookie() throws Exception {
        var target = new Target(sandbox, program.getAddress().getPort());
        var link = relay.bean(PreviewLinks.class)
                .make(PreviewLinks.Kind.LINK, target, 0, Instant.now().plusSeconds(60));
        var browsers = relay.bean(GatewayAddresses.class).browserUrl(target);
        assertThat(browsers).startsWith("http://127.0.0.2:");
        var first = get(browsers + "page?x=1&bivouac_link=" + link);
        assertThat(first.statusCode()).isEqualTo(303);
        assertThat(first.headers().firstValue("Location")).hasValue(path("/page?x=1"));
        var cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly").contains("SameSite=Lax").contains("; Path=" + path(""));
        var pair = cookie.substring(0, cookie.indexOf(';'));
        assertThat(get(browsers + "page?x=1", "Cookie", pair).statusCode()).isEqualTo(200);
        assertThat(seen).doesNotContainKey("cookie");
        assertThat(seen.get(":path")).containsExactly("/page?x=1");
        // At the console's host it only leads away.
        var elsewhere = get(base() + path("/?bivouac_link=" + link));
        assertThat(elsewhere.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(elsewhere.headers().firstValue("Location").orElseThrow()).startsWith(browsers);
        // Neither for another port, nor when its time is over.
        var other = relay.bean(PreviewLinks.class)
                .make(
                        PreviewLinks.Kind.LINK,
                        new Target(sandbox, 1),
                        0,
                        Instant.now().plusSeconds(60));
        assertThat(get(browsers + "?bivouac_link=" + other).statusCode()).isEqualTo(401);
        var old = relay.bean(PreviewLinks.class)
                .make(PreviewLinks.Kind.LINK, target, 0, Instant.now().minusSeconds(1));
        assertThat(get(browsers + "?bivouac_link=" + old).statusCode()).isEqualTo(401);
        assertThat(get(browsers, "Cookie", "bivouac_preview=" + link).statusCode())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET %s/../../x HTTP/1.1|Host: 127.0.0.1",
                "GET %s/%%2e%%2E/x HTTP/1.1|Host: 127.0.0.1",
                "GET %s/a%%2f..%%2Fx HTTP/1.1|Host: 127.0.0.1",
                "GET http://127.0.0.1%s/ HTTP/1.1|Host: 127.0.0.1",
                "POST %s/ HTTP/1.1|Host: 127.0.0.1|Content-Length: 3|Transfer-Encoding: chunked",
                "POST %s/ HTTP/1.1|Host: 127.0.0.1|Content-Length: 3|Content-Length: 4",
                "POST %s/ HTTP/1.1|Host: 127.0.0.1|Transfer-Encoding: chunked, identity",
                "POST %s/ HTTP/1.0|Host: 127.0.0.1|Transfer-Encoding: chunked",
                "GET %s/ HTTP/1.1|Host: 127.0.0.1|Host: 127.0.0.1",
                "GET %s/ HTTP/1.1|Host : 127.0.0.1",
                "GET %s/ HTTP/1.1|Host: 127.0.0.1|X-Bad\u0001: 1"
            })
    void trickyRequestsAreRefused(String template) throws Exception {
        var lines = template.formatted(path("")).replace("|", "\r\n") + "\r\nX-Access-Token: " + token() + "\r\n\r\n";
        assertThat(raw(lines)).startsWith("HTTP/1.1 400");
        assertThat(seen).isEmpty();
    }

    @Test
    void aForeignHostIsRefused() throws Exception {
        var answer = raw(
                "GET %s/ HTTP/1.1\r\nHost: evil.example\r\nX-Access-Token: %s\r\n\r\n".formatted(path(""), token()));
        assertThat(answer).startsWith("HTTP/1.1 403");
    }

    private String raw(String request) throws IOException {
        var url = URI.create(base());
        try (var socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            var first = new byte[12];
            int count = socket.getInputStream().readNBytes(first, 0, first.length);
            return new String(first, 0, Math.max(0, count), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void webSocketsAndOtherUpgradesPassAtBothPorts(boolean main) throws Exception {
        try (var echo = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> upgradeAndEcho(echo));
            var url = URI.create(main ? relay.url() : base());
            try (var socket = new Socket(url.getHost(), url.getPort())) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream()
                        .write(("GET /sandbox/%s/port/%d/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
                                        + "Upgrade: websocket\r\nSec-WebSocket-Key: x\r\nX-Access-Token: %s\r\n\r\n")
                                .formatted(sandbox, echo.getLocalPort(), token())
                                .getBytes(StandardCharsets.US_ASCII));
                var in = socket.getInputStream();
                assertThat(head(in)).startsWith("HTTP/1.1 101").contains("websocket");
                assertThat(new String(in.readNBytes(5), StandardCharsets.US_ASCII))
                        .isEqualTo("first");
                for (var word : List.of("ping", "\u0081\u0002hi")) {
                    socket.getOutputStream().write(word.getBytes(StandardCharsets.ISO_8859_1));
                    assertThat(new String(in.readNBytes(word.length()), StandardCharsets.ISO_8859_1))
                            .isEqualTo(word);
                }
            }
        }
    }

    private static void upgradeAndEcho(ServerSocket server) {
        try (var served = server.accept()) {
            head(served.getInputStream());
            // With the first bytes of the new protocol in the same packet.
            served.getOutputStream()
                    .write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst"
                            .getBytes(StandardCharsets.US_ASCII));
            served.getInputStream().transferTo(served.getOutputStream());
        } catch (IOException over) {
            // The test has what it wanted.
        }
    }

    private static String head(java.io.InputStream in) throws IOException {
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

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bytesOfAnyProtocolPassByTheTcpUpgrade(boolean main) throws Exception {
        try (var echo = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (var served = echo.accept()) {
                    served.getInputStream().transferTo(served.getOutputStream());
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            var url = URI.create(main ? relay.url() : base());
            try (var socket = new Socket(url.getHost(), url.getPort())) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream().write(tcp(echo.getLocalPort()).getBytes(StandardCharsets.US_ASCII));
                assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 101");
                var sent = new byte[1 << 20];
                new Random(5).nextBytes(sent);
                Thread.ofVirtual().start(() -> {
                    try {
                        socket.getOutputStream().write(sent);
                        socket.shutdownOutput();
                    } catch (IOException failed) {
                        throw new UncheckedIOException(failed);
                    }
                });
                assertThat(Arrays.equals(socket.getInputStream().readAllBytes(), sent))
                        .isTrue();
            }
        }
    }

    private String tcp(int port) {
        return ("GET /sandbox/%s/port/%d HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: bivouac-tcp\r\n"
                        + "X-Access-Token: %s\r\n\r\n")
                .formatted(sandbox, port, token());
    }

    @Test
    void aTcpUpgradeToAPortWhereNobodyListensIs502() throws Exception {
        program.stop(0);
        assertThat(raw(tcp(program.getAddress().getPort()))).startsWith("HTTP/1.1 502");
    }

    @Test
    void theMainPortTakesHeadersOnlyAndServesNoPage() throws Exception {
        var answer = get(relay.url() + path("/cookies"), "X-Access-Token", token(), "Cookie", "mine=1");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Security-Policy")).hasValue("sandbox");
        assertThat(answer.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(seen).doesNotContainKey("cookie");
        var target = new Target(sandbox, program.getAddress().getPort());
        var link = relay.bean(PreviewLinks.class)
                .make(PreviewLinks.Kind.LINK, target, 0, Instant.now().plusSeconds(60));
        assertThat(get(relay.url() + path("/?bivouac_link=" + link)).statusCode())
                .isEqualTo(401);
    }

    @Test
    void requestsForTheApiAndForPortsShareAConnection() throws Exception {
        var url = URI.create(relay.url());
        try (var socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(20_000);
            var port = "GET %s/ HTTP/1.1\r\nHost: localhost\r\nX-Access-Token: %s\r\n\r\n".formatted(path(""), token());
            var api = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
            // All at once: the answers come in the order of the requests.
            socket.getOutputStream().write((api + port + api + port).getBytes(StandardCharsets.US_ASCII));
            for (var expected : List.of("UP", "hello", "UP", "hello")) {
                assertThat(answer(socket)).containsIgnoringCase(expected);
            }
        }
    }

    /** One answer with a Content-Length. */
    private static String answer(Socket socket) throws IOException {
        var head = head(socket.getInputStream());
        int length = Stream.of(head.split("\r\n"))
                .filter(line -> line.toLowerCase().startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(head));
        return head + new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    @Test
    void aSandboxHasOnlySoManyConnections() throws Exception {
        var url = URI.create(base());
        var open = new Socket[3];
        for (int i = 0; i < open.length; i++) {
            open[i] = new Socket(url.getHost(), url.getPort());
            open[i].getOutputStream().write(tcp(program.getAddress().getPort()).getBytes(StandardCharsets.US_ASCII));
            assertThat(head(open[i].getInputStream())).startsWith("HTTP/1.1 101");
        }
        assertThat(withToken("/").statusCode()).isEqualTo(429);
        for (var socket : open) {
            socket.close();
        }
        Wait.until(() -> status(path("/")) == 200);
    }

    @Test
    void thePortsOnWhichProgramsListenAreListed() throws Exception {
        var http = relay.http();
        var listed = http.get("/api/v1/sandboxes/" + sandbox + "/ports");
        var ports = StreamSupport.stream(listed.body().get("items").values().spliterator(), false)
                .filter(item ->
                        item.get("port").getIntValue() == program.getAddress().getPort())
                .toList();
        assertThat(ports).hasSize(1);
        assertThat(ports.getFirst().get("url").getStringValue()).isEqualTo(base() + path("/"));
        assertThat(ports.getFirst().get("program").getStringValue()).isEqualTo("java");
    }

    @Test
    void linksAndTokensAreGivenToDevelopers() throws Exception {
        var http = relay.http();
        var port = program.getAddress().getPort();
        var link =
                http.post("/api/v1/sandboxes/" + sandbox + "/ports/" + port + "/link", Map.of("expiresInSeconds", 30));
        var first = get(link.text("url"));
        assertThat(first.statusCode()).isEqualTo(303);
        var fresh = http.post("/api/v1/sandboxes/" + sandbox + "/access-token", Map.of());
        Wait.until(() -> token().equals(fresh.text("accessToken")));
        // A new token ends the links that were made before.
        Wait.until(() -> {
            try {
                return get(link.text("url")).statusCode() == 401;
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        var tooLong = http.post(
                "/api/v1/sandboxes/" + sandbox + "/ports/" + port + "/link", Map.of("expiresInSeconds", 1_000_000));
        assertThat(tooLong.status()).isEqualTo(400);
    }

    @Test
    void aSandboxWhoseAgentIsAtAnotherRelayIsReached() throws Exception {
        try (var other = TestRelay.start(relay.sockets(), Map.of("bivouac.gateway.port", 0))) {
            var answer =
                    get(other.bean(GatewayAddresses.class).base() + path("/echo-nothing"), "X-Access-Token", token());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("hello");
            program.stop(0);
            var gone = get(other.bean(GatewayAddresses.class).base() + path("/"), "X-Access-Token", token());
            assertThat(gone.statusCode()).isEqualTo(502);
        }
    }

    @Test
    void aPreviewHostLeadsToItsPort() throws Exception {
        try (var other = TestRelay.start(
                relay.sockets(), Map.of("bivouac.gateway.port", 0, "bivouac.preview-domain", "preview.example"))) {
            var gateway = URI.create(other.bean(GatewayAddresses.class).base());
            var host = program.getAddress().getPort() + "-" + sandbox + ".preview.example";
            try (var socket = new Socket(gateway.getHost(), gateway.getPort())) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream()
                        .write("GET /a?b HTTP/1.1\r\nHost: %s:%d\r\nX-Access-Token: %s\r\n\r\n"
                                .formatted(host, gateway.getPort(), token())
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(answer(socket)).startsWith("HTTP/1.1 200").endsWith("hello");
            }
            assertThat(seen.get(":path")).containsExactly("/a?b");
            assertThat(seen).doesNotContainKey("x-forwarded-prefix");
            var target = new Target(sandbox, program.getAddress().getPort());
            assertThat(other.bean(GatewayAddresses.class).browserUrl(target))
                    .isEqualTo("http://" + host + ":" + gateway.getPort() + "/");
        }
    }

    @Test
    void eventsComeAsTheyAreSent() throws Exception {
        try (var server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            var url = URI.create(base());
            try (var client = new Socket(url.getHost(), url.getPort())) {
                client.setSoTimeout(20_000);
                client.getOutputStream()
                        .write(
                                ("GET /sandbox/%s/port/%d/events HTTP/1.1\r\nHost: localhost\r\nX-Access-Token: %s\r\n\r\n")
                                        .formatted(sandbox, server.getLocalPort(), token())
                                        .getBytes(StandardCharsets.US_ASCII));
                try (var served = server.accept()) {
                    head(served.getInputStream());
                    var out = served.getOutputStream();
                    out.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".getBytes());
                    out.write("data: one\n\n".getBytes());
                    assertThat(head(client.getInputStream())).containsIgnoringCase("chunked");
                    assertThat(chunk(client)).isEqualTo("data: one\n\n");
                    out.write("data: two\n\n".getBytes());
                    assertThat(chunk(client)).isEqualTo("data: two\n\n");
                }
                assertThat(chunk(client)).isEmpty();
            }
        }
    }

    private static String chunk(Socket client) throws IOException {
        var size = new StringBuilder();
        while (size.indexOf("\r\n") < 0) {
            size.append((char) client.getInputStream().read());
        }
        var bytes = client.getInputStream()
                .readNBytes(Integer.parseInt(size.toString().strip(), 16));
        client.getInputStream().readNBytes(2);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void aClientThatExpectsToBeAskedIsAskedByTheProgram() throws Exception {
        var request = HttpRequest.newBuilder(URI.create(base() + path("/echo")))
                .header("X-Access-Token", token())
                .expectContinue(true)
                .POST(BodyPublishers.ofString("body"))
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).body()).isEqualTo("body");
    }
}
