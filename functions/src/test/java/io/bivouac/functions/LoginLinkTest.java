package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoginLinkTest {
    private final TestServer server = TestServer.shared();
    private final Client stranger = server.newProject().as(null);

    @Test
    void aCodeLogsOneBrowserInOnce() {
        var links = server.loginLinks();
        var made = server.newProject().post("/api/v1/keys", "{\"name\":\"first\",\"role\":\"admin\"}");
        var code = links.issue(made.text("/key")).orElseThrow();

        var opened = stranger.post("/login", "{\"code\":\"" + code + "\"}");
        assertThat(opened.status()).isEqualTo(200);
        var cookie = opened.header("Set-Cookie");
        assertThat(cookie).containsIgnoringCase("HttpOnly").contains("SameSite=Strict");
        var shown = stranger.send(stranger.request("/api/v1/session")
                .header("Cookie", cookie.split(";", 2)[0])
                .GET());
        assertThat(shown.text("/role")).isEqualTo("admin");

        assertThat(stranger.post("/login", "{\"code\":\"" + code + "\"}").problem())
                .isEqualTo("401 1001 UNAUTHORIZED");
    }

    @Test
    void aCodeThatNobodyGaveOutAndOneOfARevokedKeyLogNobodyIn() {
        var project = server.newProject();
        var made = project.post("/api/v1/keys", "{\"name\":\"gone\"}");
        var code = server.loginLinks().issue(made.text("/key")).orElseThrow();
        project.delete("/api/v1/keys/" + made.text("/id"));
        for (var wrong : new String[] {code, "", "x", "x".repeat(1000)}) {
            assertThat(stranger.post("/login", "{\"code\":\"" + wrong + "\"}").problem())
                    .isEqualTo("401 1001 UNAUTHORIZED");
        }
        assertThat(server.loginLinks().issue("bvk_nobody00000000000000")).isEmpty();
    }

    @Test
    void theLinkOpensAPageThatNothingElseMayRunIn() {
        for (var path : new String[] {"/login", "/login/"}) {
            var page = stranger.get(path);
            assertThat(page.status()).as(path).isEqualTo(200);
            assertThat(page.header("Content-Security-Policy")).contains("script-src 'self'");
        }
        assertThat(stranger.get("/login/link.js").status()).isEqualTo(200);
    }
}
