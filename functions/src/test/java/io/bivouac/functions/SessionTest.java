package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.functions.Client.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

class SessionTest {
    private final TestServer server = TestServer.shared();
    private final Client client = server.newProject();
    private final Client browser = client.as(null);

    @Test
    void aKeyIsExchangedForACookieThatNoScriptCanReadOrPageElsewhereSend() {
        var opened = client.post("/api/v1/session", "");
        assertThat(opened.status()).isEqualTo(200);
        assertThat(opened.text("/role")).isEqualTo("admin");
        assertThat(opened.header("Set-Cookie"))
                .containsIgnoringCase("HttpOnly")
                .contains("SameSite=Strict")
                .contains("Path=/")
                .contains("Max-Age=43200");
        assertThat(browser.post("/api/v1/session", "").problem()).isEqualTo("401 1001 UNAUTHORIZED");
    }

    @Test
    void theCookieStandsForTheKeyUntilThatIsRevoked() {
        var key = client.post("/api/v1/keys", "{\"name\":\"person\"}");
        var cookie = cookie(client.as(key.text("/key")).post("/api/v1/session", ""));
        assertThat(get("/api/v1/session", cookie).text("/role")).isEqualTo("developer");
        assertThat(get("/api/v1/sandboxes", cookie).status()).isEqualTo(200);
        client.delete("/api/v1/keys/" + key.text("/id"));
        assertThat(get("/api/v1/sandboxes", cookie).problem()).isEqualTo("401 1001 UNAUTHORIZED");
    }

    @Test
    void onlyOurOwnPageCanChangeAnythingWithIt() {
        var cookie = cookie(client.post("/api/v1/session", ""));
        var path = "/api/v1/keys";
        assertThat(post(path, cookie).problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(post(path, cookie, "X-Bivouac-Console", "1").status()).isEqualTo(201);
        assertThat(post(path, cookie, "X-Bivouac-Console", "1", "Origin", "https://elsewhere.example")
                        .problem())
                .isEqualTo("403 1002 FORBIDDEN");
        assertThat(get(path, cookie, "Origin", "https://elsewhere.example").problem())
                .isEqualTo("403 1002 FORBIDDEN");
    }

    @Test
    void aSessionCannotRenewItself() {
        var cookie = cookie(client.post("/api/v1/session", ""));
        assertThat(post("/api/v1/session", cookie, "X-Bivouac-Console", "1").problem())
                .isEqualTo("401 1001 UNAUTHORIZED");
    }

    @Test
    void aForgedOrChangedCookieIsNobodys() {
        var cookie = cookie(client.post("/api/v1/session", ""));
        var system = cookie.replaceFirst("=key_[^.]*", "=key_00000000000000000000000000");
        for (var forged :
                new String[] {system, cookie + "x", "bivouac_session=", "bivouac_session=a.b", "bivouac_session=."}) {
            assertThat(get("/api/v1/sandboxes", forged).problem()).as(forged).isEqualTo("401 1001 UNAUTHORIZED");
        }
    }

    @Test
    void loggingOutTakesTheCookieBack() {
        var cookie = cookie(client.post("/api/v1/session", ""));
        var out = browser.send(browser.request("/api/v1/session")
                .header("Cookie", cookie)
                .header("X-Bivouac-Console", "1")
                .DELETE());
        assertThat(out.status()).isEqualTo(204);
        assertThat(out.header("Set-Cookie")).contains("Max-Age=0");
    }

    private static String cookie(Answer answer) {
        return answer.header("Set-Cookie").split(";", 2)[0];
    }

    private Answer get(String path, String cookie, String... headers) {
        return browser.send(with(path, cookie, headers).GET());
    }

    private Answer post(String path, String cookie, String... headers) {
        return browser.send(with(path, cookie, headers)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"name\":\"made by a page\"}")));
    }

    private HttpRequest.Builder with(String path, String cookie, String... headers) {
        var request = browser.request(path).header("Cookie", cookie);
        return headers.length == 0 ? request : request.headers(headers);
    }
}
