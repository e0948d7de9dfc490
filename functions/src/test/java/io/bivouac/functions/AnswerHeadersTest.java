package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerHeadersTest {
    private final Client client = TestServer.shared().newProject();
    private final Client nobody = client.as(null);

    @Test
    void noOtherPageFramesOrLoadsWhatWeAnswer() {
        for (var path : List.of(
                "/docs/reference/", "/docs/reference/show.js", "/openapi.yml", "/health", "/api/v1/sandboxes")) {
            var answer = client.get(path);
            assertThat(answer.header("Content-Security-Policy"))
                    .as(path)
                    .contains("default-src 'none'", "frame-ancestors 'none'");
            assertThat(answer.header("X-Content-Type-Options")).as(path).isEqualTo("nosniff");
            assertThat(answer.header("Cross-Origin-Resource-Policy")).as(path).isEqualTo("same-origin");
        }
        assertThat(nobody.get("/api/v1/sandboxes").header("X-Content-Type-Options"))
                .as("a refusal")
                .isEqualTo("nosniff");
        assertThat(nobody.get("/docs/reference/").response().headers().allValues("Content-Security-Policy"))
                .hasSize(1);
    }

    @Test
    void thePageThatShowsTheApiKeepsNoKey() {
        assertThat(nobody.get("/docs/reference/show.js").body()).contains("persistAuthorization: false");
    }
}
