package io.bivouac.sandboxio.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxmodel.SandboxId;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Links that work without a key. */
class FileLinksTest {
    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start();
        id = relay.sandbox();
        agent = relay.agent(id);
        Wait.until(() -> files(TestRelay.KEY).get("/stat", "/").status() == 200);
        files(TestRelay.KEY).put("shared", "contents");
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    private static FilesOverHttp files(String key) {
        return new FilesOverHttp(relay.url() + "/api/v1/sandboxes/" + id + "/files", key);
    }

    private static String link(String key, String method, String path, int seconds) {
        var answer = files(key)
                .post(
                        "/links",
                        "{\"path\":\"%s\",\"method\":\"%s\",\"expiresInSeconds\":%d}".formatted(path, method, seconds));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json().get("url").getStringValue();
    }

    private static FilesOverHttp.Answer get(String url) {
        return FilesOverHttp.send(HttpRequest.newBuilder(URI.create(url)).GET());
    }

    private static FilesOverHttp.Answer put(String url, String contents) {
        return FilesOverHttp.send(HttpRequest.newBuilder(URI.create(url)).PUT(BodyPublishers.ofString(contents)));
    }

    @Test
    void aLinkOpensItsPathWithoutAKey() {
        assertThat(get(link(TestRelay.KEY, "GET", "shared", 60)).text()).isEqualTo("contents");
        assertThat(put(link(TestRelay.KEY, "PUT", "sent by link", 60), "sent").status())
                .isEqualTo(201);
        assertThat(files(TestRelay.KEY).get("/content", "sent by link").text()).isEqualTo("sent");
    }

    @Test
    void aLinkOpensNothingElse() {
        var url = link(TestRelay.KEY, "GET", "shared", 60);
        assertThat(put(url, "changed").code()).isEqualTo(1002);
        assertThat(get(url.replace("path=shared", "path=other")).code()).isEqualTo(1002);
        assertThat(get(url.replaceFirst("expires=\\d+", "expires=99999999999")).code())
                .isEqualTo(1002);
        assertThat(get(url.replace(id.value(), relay.sandbox().value())).code()).isEqualTo(1002);
        // Another one, whatever it begins with.
        var forged = url.contains("signature=_") ? "signature=-" : "signature=_";
        assertThat(get(url.replaceFirst("signature=.", forged)).code()).isEqualTo(1002);
        assertThat(files(TestRelay.KEY).get("/content", "shared").text()).isEqualTo("contents");
    }

    @Test
    void anExpiredLinkSaysSoAndIsWrittenDown() {
        var url = link(TestRelay.KEY, "GET", "shared", 1);
        Wait.until(() -> get(url).status() == 403);
        assertThat(get(url).text()).contains("This link expired at");
        Wait.until(() -> relay.bean(Audit.class).list(relay.caller().project(), Long.MAX_VALUE, 200).items().stream()
                .anyMatch(row ->
                        row.action().equals("file.refused") && row.detail().contains("expired")));
    }

    @Test
    void aLinkEndsWithItsKeyAndHasNoMoreRightsThanIt() {
        var keys = relay.bean(ApiKeys.class);
        var made = keys.make(relay.caller(), "viewer", Role.VIEWER, false);
        var key = made.text().value();
        assertThat(files(key)
                        .post("/links", "{\"path\":\"shared\",\"method\":\"PUT\"}")
                        .code())
                .isEqualTo(1002);
        var url = link(key, "GET", "shared", 60);
        assertThat(get(url).status()).isEqualTo(200);
        keys.revoke(relay.caller(), made.key().id());
        assertThat(get(url).text()).contains("revoked");
    }

    @Test
    void whatALinkIsAskedForIsChecked() {
        assertThat(files(TestRelay.KEY)
                        .post("/links", "{\"path\":\"a\",\"method\":\"DELETE\"}")
                        .code())
                .isEqualTo(1003);
        assertThat(files(TestRelay.KEY)
                        .post("/links", "{\"path\":\"a\",\"expiresInSeconds\":0}")
                        .code())
                .isEqualTo(1003);
    }
}
