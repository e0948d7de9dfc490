package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorsTest {
    private final Client client = TestServer.shared().newProject();

    @Test
    void unknownRoutesMethodsAndTypesAreProblemsToo() {
        assertThat(client.get("/api/v1/nowhere").problem()).isEqualTo("404 1006 NOT_FOUND");
        assertThat(client.get("/nowhere").problem()).isEqualTo("404 1006 NOT_FOUND");
        assertThat(client.patch("/api/v1/sandboxes", "{}").problem()).isEqualTo("405 1007 METHOD_NOT_ALLOWED");
        var xml = client.request("/api/v1/sandboxes")
                .header("Content-Type", "text/xml")
                .POST(BodyPublishers.ofString("<x/>"));
        assertThat(client.send(xml).problem()).isEqualTo("415 1008 UNSUPPORTED_MEDIA_TYPE");
        assertThat(client.send(xml).text("/detail"))
                .isEqualTo("Send JSON: add the header Content-Type: application/json.");
        assertThat(client.patch("/api/v1/sandboxes", "{}").text("/detail"))
                .isEqualTo("PATCH is not possible here; use GET or POST.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /api/v1/sandbox     | There is no GET /api/v1/sandbox. Did you mean /api/v1/sandboxes? All routes: /docs/reference
            /api/v1/template    | There is no GET /api/v1/template. Did you mean /api/v1/templates? All routes: /docs/reference
            /api/v1/projcts/me  | There is no GET /api/v1/projcts/me. Did you mean /api/v1/projects/me? All routes: /docs/reference
            /api/v1/nowhere     | There is no GET /api/v1/nowhere. All routes: /docs/reference
            """)
    void anUnknownAddressIsAnsweredWithTheNearestOne(String path, String detail) {
        assertThat(client.get(path).text("/detail")).isEqualTo(detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"template":"default","colour":1}             | Unknown field "colour".
            {"resources":{"hue":1}}                       | Unknown field "hue".
            {"template":"default","timeout":60}           | Unknown field "timeout". Did you mean "timeoutSeconds"?
            {"template":"default","env":{}}               | Unknown field "env". Did you mean "envs"?
            {"resources":{"cpus":1}}                      | Unknown field "cpus". Did you mean "cpu"?
            {"template":                                  | The body is not valid JSON: it ends too early at line 1
            nonsense                                      | The body is not valid JSON at line 1, column 1: Unrecognized
            []                                            | The body must be an object, but is an array.
            {"labels":[]}                                 | labels must be an object, but is an array.
            {"labels":"a=b"}                              | labels must be an object, but is a string.
            {"resources":[]}                              | resources must be an object, but is an array.
            {"egress":{"allow":"example.org"}}            | allow must be an array, but is a string.
            {"egress":{"allow":[false]}}                  | An item of allow must be a string, but is false.
            {"egress":{"allow":["a.org",null]}}           | An item of allow must be a string, but is null.
            {"resources":{"cpu":"x"}}                     | cpu must be a number, but is "x".
            {"template":false}                            | template must be a string, but is false.
            {"template":12}                               | template must be a string, but is 12.
            {"timeoutSeconds":"60"}                       | timeoutSeconds must be a whole number, but is "60".
            {"timeoutSeconds":1.5}                        | timeoutSeconds must be a whole number, but is 1.5.
            {"timeoutSeconds":true}                       | timeoutSeconds must be a whole number, but is true.
            {"labels":{"a":{}}}                           | A value inside must be a string, but is an object.
            {"labels":{"a":1}}                            | A value inside must be a string, but is 1.
            """)
    void whatIsWrongWithABodyIsSaidInItsOwnWords(String body, String expected) {
        var refused = client.post("/api/v1/sandboxes", body);
        assertThat(refused.problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(refused.text("/detail")).startsWith(expected);
    }

    @Test
    void whatIsWrongWithAParameterIsSaidInItsOwnWords() {
        assertThat(client.get("/api/v1/sandboxes?limit=abc").text("/detail"))
                .isEqualTo("limit must be a whole number, not \"abc\".");
        assertThat(client.post("/api/v1/sandboxes", "").text("/detail")).isEqualTo("The request needs a body.");
    }

    @Test
    void aBodyThatIsTooLargeIs413() {
        var huge = "{\"template\":\"" + "x".repeat(2 << 20) + "\"}";
        assertThat(client.post("/api/v1/sandboxes", huge).problem()).isEqualTo("413 1005 TOO_LARGE");
        assertThat(client.post("/api/v1/sandboxes", huge).text("/detail"))
                .isEqualTo("The body is larger than 1 MiB, the most that is accepted here.");
    }

    @Test
    void aCompressedBodyIs415AndNobodyInflatesIt() throws IOException {
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write("{\"name\":\"compressed\"}".getBytes(StandardCharsets.UTF_8));
        }
        var request = client.request("/api/v1/keys")
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(compressed.toByteArray()));
        var refused = client.send(request);
        assertThat(refused.problem()).isEqualTo("415 1008 UNSUPPORTED_MEDIA_TYPE");
        assertThat(refused.text("/detail")).startsWith("Content-Encoding must be identity");
        var plain = client.request("/api/v1/keys")
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "identity")
                .POST(BodyPublishers.ofString("{\"name\":\"plain\"}"));
        assertThat(client.send(plain).status()).isEqualTo(201);
    }

    @Test
    void everyAnswerCarriesARequestIdTheCallersIfItIsSane() {
        assertThat(client.get("/health").header("X-Request-Id")).startsWith("req_");
        var named = client.request("/health").header("X-Request-Id", "mine-1").GET();
        assertThat(client.send(named).header("X-Request-Id")).isEqualTo("mine-1");
        var odd =
                client.request("/health").header("X-Request-Id", "a b<script>").GET();
        assertThat(client.send(odd).header("X-Request-Id")).startsWith("req_");
    }

    @Test
    void aForeignHostHeaderIsRefused() throws IOException {
        var url = URI.create(client.request("/").build().uri().toString());
        try (var socket = new Socket(url.getHost(), url.getPort())) {
            socket.getOutputStream()
                    .write("GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 403").contains("FORBIDDEN").contains("evil.example");
        }
    }
}
