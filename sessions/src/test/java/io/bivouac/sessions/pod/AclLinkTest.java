package io.bivouac.sessions.pod;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.foundation.access.Visitor;
import io.bivouac.sessions.acl.Mode;
import io.bivouac.sessions.acl.Requester;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AclLinkTest {
    private static final String ANNE = "https://anne.example/#me";

    @Test
    void theAclIsTheLinkThatSaysSo() {
        assertThat(AclLink.in(List.of("<.meta>; rel=describedby, <a,b.acl>; title=\"x, <y>\"; rel=\"up ACL\"")))
                .hasValue(URI.create("a,b.acl"));
        assertThat(AclLink.in(List.of("<x>", "<y>; rel=\"type\"", "</z>;rel=acl")))
                .hasValue(URI.create("/z"));
        assertThat(AclLink.in(List.of("<y>; rel=\"aclx\"", "nonsense"))).isEmpty();
    }

    @Test
    void anAclIsReadWhereItsServerHasIt() throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var base = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        serve(
                server,
                "/.well-known/openid-configuration",
                "{\"token_endpoint\":\"" + base + "token\"}",
                "</none>; rel=up");
        serve(server, "/token", "{\"access_token\":\"t\",\"expires_in\":600}", "</none>; rel=up");
        serve(server, "/anne/", "", "</rules/7/own>; rel=\"acl\"");
        serve(server, "/rules/7/own", """
                @prefix acl: <http://www.w3.org/ns/auth/acl#> .
                <#anne> a acl:Authorization ; acl:agent <%s> ; acl:accessTo <../../anne/> ; acl:mode acl:Read .
                """.formatted(ANNE), "</none>; rel=up");
        server.start();
        var settings = Map.<String, Object>of(
                "bivouac.solid-allow",
                "127.0.0.0/8",
                "bivouac.pods",
                base + "anne/",
                "bivouac.solid.client.issuer",
                base,
                "bivouac.solid.client.id",
                "relay",
                "bivouac.solid.client.secret",
                "secret");
        try (var relay = TestRelay.start(settings)) {
            var requester = new Requester(new Visitor(ANNE, "https://app.example/id", base), null, false);
            var pod = relay.bean(Pods.class).get(null);
            assertThat(relay.bean(PodAccess.class).modes(pod, "/", requester)).containsExactly(Mode.READ);
        } finally {
            server.stop(0);
        }
    }

    private static void serve(HttpServer server, String path, String body, String link) {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> {
            try (exchange) {
                if (!exchange.getRequestURI().getPath().equals(path)) {
                    exchange.sendResponseHeaders(404, -1);
                    return;
                }
                exchange.getResponseHeaders().add("Link", link);
                boolean withBody = !exchange.getRequestMethod().equals("HEAD") && bytes.length > 0;
                exchange.sendResponseHeaders(200, withBody ? bytes.length : -1);
                if (withBody) {
                    exchange.getResponseBody().write(bytes);
                }
            } catch (IOException gone) {
                // The relay has what it wanted.
            }
        });
    }
}
