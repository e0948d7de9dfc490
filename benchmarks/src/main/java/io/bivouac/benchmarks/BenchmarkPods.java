package io.bivouac.benchmarks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Pods on this machine that are read over HTTP, with the issuer that the relay logs in at. */
final class BenchmarkPods implements AutoCloseable {
    private static final String RULE = """
            @prefix acl: <http://www.w3.org/ns/auth/acl#> .
            <#guest> a acl:Authorization ; acl:agent <%s> ; acl:accessTo <./> ; acl:default <./> ;
                acl:mode acl:Read, acl:Write .
            """;
    private static final int NO_BODY = -1;

    private final HttpServer server;
    private final String rule;
    private final int count;

    BenchmarkPods(String webId, int count) throws IOException {
        this.rule = rule(webId);
        this.count = count;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    /** An ACL that lets this WebID have terminals. */
    static String rule(String webId) {
        return RULE.formatted(webId);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        exchange.getRequestBody().readAllBytes();
        if (path.endsWith("/openid-configuration")) {
            send(exchange, "application/json", "{\"token_endpoint\":\"" + url() + "/token\"}");
        } else if (path.equals("/token")) {
            send(exchange, "application/json", "{\"access_token\":\"relay\",\"expires_in\":3600}");
        } else if (path.matches("/\\d+/(\\.terminal/)?\\.acl")) {
            send(exchange, "text/turtle", rule);
        } else {
            exchange.sendResponseHeaders(path.endsWith("/") ? 200 : 404, NO_BODY);
        }
        exchange.close();
    }

    private static void send(HttpExchange exchange, String type, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int count() {
        return count;
    }

    String pod(int number) {
        return url() + "/" + number + "/";
    }

    /** For a server that serves them and one more. */
    Map<String, String> settings(String another) {
        var pods = IntStream.range(0, count).mapToObj(this::pod).collect(Collectors.joining(","));
        return Map.of(
                "BIVOUAC_PODS", another + "," + pods,
                "BIVOUAC_SOLID_CLIENT_ISSUER", url(),
                "BIVOUAC_SOLID_CLIENT_ID", "benchmark",
                "BIVOUAC_SOLID_CLIENT_SECRET", "benchmark",
                "BIVOUAC_SOLID_ALLOW", "127.0.0.0/8",
                "BIVOUAC_TERMINAL_PER_USER", "1000",
                "BIVOUAC_TERMINAL_TOTAL", "1000");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
