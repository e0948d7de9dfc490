package io.bivouac.sandboxio.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.TestRelay;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and their responses, as the program and the client see them. */
class GatewayRequestsTest extends GatewayFixture {
    private static final int LARGE = 24 << 20;

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
