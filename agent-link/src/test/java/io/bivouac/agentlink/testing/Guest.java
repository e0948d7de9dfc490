package io.bivouac.agentlink.testing;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;

/** Speaks to the relay as somebody with a WebID does: each request with a proof of its own. */
public record Guest(String base, String token, DpopKey key) {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = ObjectMapper.getDefault();

    public Http.Answer post(String path, Map<String, ?> body) throws IOException {
        return answer(send("POST", path, JSON.writeValueAsString(body)));
    }

    public Http.Answer get(String path) throws IOException {
        return answer(send("GET", path, ""));
    }

    public Http.Answer delete(String path) throws IOException {
        return answer(send("DELETE", path, ""));
    }

    public HttpResponse<byte[]> send(String method, String path, String body, String... headers) throws IOException {
        var proof = key.proof(method, base + path.split("\\?", 2)[0], token);
        return send(method, path, body, List.of("Authorization", "DPoP " + token, "DPoP", proof), headers);
    }

    public HttpResponse<byte[]> send(String method, String path, String body, List<String> login, String... headers)
            throws IOException {
        var request = HttpRequest.newBuilder(URI.create(base + path))
                .headers(login.toArray(String[]::new))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    public static Http.Answer answer(HttpResponse<byte[]> response) throws IOException {
        var body = response.body();
        return new Http.Answer(response.statusCode(), body.length == 0 ? null : JSON.readValue(body, JsonNode.class));
    }
}
