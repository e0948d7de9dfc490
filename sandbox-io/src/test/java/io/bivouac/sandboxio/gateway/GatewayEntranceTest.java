package io.bivouac.sandboxio.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may reach a port, and what is written of a sandbox that is not there. */
class GatewayEntranceTest extends GatewayFixture {
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
    void anUnknownSandboxIs404AndAStoppedOne409() throws Exception {
        var unknown = base() + "/sandbox/" + SandboxId.next() + "/port/80/";
        assertThat(get(unknown, "X-API-Key", TestRelay.KEY).statusCode()).isEqualTo(404);
        relay.bean(SandboxStore.class).on(sandbox, new StopRequested());
        Wait.until(() -> status(path("/")) == 409);
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
    void aForeignHostIsRefused() throws Exception {
        var answer = raw(
                "GET %s/ HTTP/1.1\r\nHost: evil.example\r\nX-Access-Token: %s\r\n\r\n".formatted(path(""), token()));
        assertThat(answer).startsWith("HTTP/1.1 403");
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
    void strangersAreRefusedAndWrittenDown() throws Exception {
        assertThat(get(base() + path("/"), "X-API-Key", stranger()).statusCode())
                .isEqualTo(403);
        awaitNote("request.refused", "FORBIDDEN");
        var other = relay.bean(AccessTokens.class).current(relay.sandbox());
        assertThat(get(base() + path("/"), "X-Access-Token", other).statusCode())
                .isEqualTo(401);
        awaitNote("login.refused", "not the access token");
        var target = new Target(sandbox, program.getAddress().getPort());
        var over = relay.bean(PreviewLinks.class)
                .make(PreviewLinks.Kind.LINK, target, 0, Instant.now().minusSeconds(1));
        assertThat(get(base() + path("/?bivouac_link=" + over)).statusCode()).isEqualTo(401);
        awaitNote("login.refused", "its time is over");
        assertThat(raw("GET %s/../x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".formatted(path(""))))
                .startsWith("HTTP/1.1 400");
        awaitNote("request.refused", "'..'");
        assertThat(seen).isEmpty();
    }

    private void awaitNote(String action, String detail) {
        Wait.until(() -> relay.bean(Audit.class).list(relay.caller().project(), Long.MAX_VALUE, 200).items().stream()
                .anyMatch(row -> row.action().equals(action) && row.detail().contains(detail)));
    }
}
