package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.functions.Client.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CrossOriginTest {
    private static final String PAGE = "https://app.example";
    private static final String PATH = "/api/v1/templates";

    private final TestServer server = TestServer.with(Map.of("bivouac.origins", PAGE));
    private final Client client = server.client();

    private static Answer from(String origin, Client client) {
        return client.send(client.request(PATH).header("Origin", origin).GET());
    }

    private Answer asksFirst(String origin) {
        var browser = client.as(null);
        return browser.send(browser.request("/api/v1/sandboxes")
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "authorization,content-type")
                .method("OPTIONS", BodyPublishers.noBody()));
    }

    @Test
    void aListedPageUsesTheApiWithALoginOfItsOwn() {
        var first = asksFirst(PAGE);
        assertThat(first.status()).isEqualTo(204);
        assertThat(first.header("Access-Control-Allow-Origin")).isEqualTo(PAGE);
        assertThat(first.header("Access-Control-Allow-Methods")).contains("POST");
        assertThat(first.header("Access-Control-Allow-Headers")).contains("Authorization", "Content-Type");
        assertThat(first.header("Access-Control-Allow-Credentials")).isNull();
        var answer = from(PAGE, client);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(PAGE);
        assertThat(answer.header("Access-Control-Allow-Credentials")).isNull();
        assertThat(answer.header("Vary")).contains("Origin");
        var refused = from(PAGE, client.as("bvk_wrong"));
        assertThat(refused.problem()).isEqualTo("401 1001 UNAUTHORIZED");
        assertThat(refused.header("Access-Control-Allow-Origin")).isEqualTo(PAGE);
    }

    @Test
    void anotherPageCanReadNothing() {
        var strange = "https://elsewhere.example";
        assertThat(asksFirst(strange).header("Access-Control-Allow-Origin")).isNull();
        assertThat(asksFirst(strange).status()).isEqualTo(401);
        assertThat(from(strange, client).header("Access-Control-Allow-Origin")).isNull();
    }
}
