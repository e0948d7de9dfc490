package io.bivouac.sandboxio.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.sandboxes.token.AccessTokens;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The addresses at which a port is reached. */
class GatewayAddressesTest extends GatewayFixture {
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
    void aKeyReachesItBySandboxsNameOrTheBeginningOfItsId() throws Exception {
        var named = relay.sandboxNamed("web shop");
        try (var _ = relay.agent(named)) {
            var rest = "/port/" + program.getAddress().getPort() + "/page?a=b";
            for (var door : List.of(base(), relay.url())) {
                for (var text : List.of(
                        "web%20shop", named.value().substring(0, named.value().length() - 1))) {
                    var answer = get(door + "/sandbox/" + text + rest, "X-API-Key", TestRelay.KEY);
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                    assertThat(seen.get(":path")).containsExactly("/page?a=b");
                    assertThat(seen.get("x-forwarded-prefix"))
                            .containsExactly("/sandbox/" + text + rest.substring(0, rest.indexOf("/page")));
                }
            }
        }
    }

    @Test
    void aNameOpensNothingToWhoeverHasNoKeyOfItsProject() throws Exception {
        var named = relay.sandboxNamed("closed");
        var url = base() + "/sandbox/closed/port/" + program.getAddress().getPort() + "/";
        assertThat(get(url).statusCode()).isEqualTo(401);
        assertThat(get(url, "X-Access-Token", relay.bean(AccessTokens.class).current(named))
                        .statusCode())
                .isEqualTo(401);
        var answer = get(url, "X-API-Key", stranger());
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).doesNotContain(named.value());
        relay.sandboxNamed("closed");
        var several = get(url, "X-API-Key", TestRelay.KEY);
        assertThat(several.statusCode()).isEqualTo(404);
        assertThat(several.body()).contains("2 sandboxes named closed", named.value());
        assertThat(seen).isEmpty();
    }
}
