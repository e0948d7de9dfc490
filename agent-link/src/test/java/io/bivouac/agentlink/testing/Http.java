package io.bivouac.agentlink.testing;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** Speaks to the relay as a client does. */
public record Http(String base, String key) {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = ObjectMapper.getDefault();

    /** A whole answer. */
    public record Answer(int status, JsonNode body) {
        public String text(String field) {
            return body.get(field).getStringValue();
        }

        public int number(String field) {
            return body.get(field).getIntValue();
        }
    }

    public Answer post(String path, Map<String, ?> body) {
        return answer(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json(body)))
                .build());
    }

    public Answer delete(String path) {
        return answer(request(path).DELETE().build());
    }

    public Answer get(String path) {
        return answer(request(path).GET().build());
    }

    public HttpResponse<InputStream> open(String path, String accept, String... headers) {
        var request = request(path).header("Accept", accept).GET();
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    public HttpResponse<InputStream> openPost(String path, Map<String, ?> body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json(body)))
                .build());
    }

    /** A WebSocket there, with the key as a program sends it. */
    public Socket socket(String path, String... protocols) {
        var whole = path.startsWith("/") ? path : "/api/v1/sandboxes/" + path;
        return Socket.open("ws" + base.substring(4) + whole, Map.of("X-API-Key", key), protocols);
    }

    private HttpRequest.Builder request(String path) {
        var whole = path.startsWith("/") ? path : "/api/v1/sandboxes/" + path;
        return HttpRequest.newBuilder(URI.create(base + whole)).header("X-API-Key", key);
    }

    private static Answer answer(HttpRequest request) {
        try {
            var response = CLIENT.send(request, BodyHandlers.ofByteArray());
            var body = response.body();
            return new Answer(response.statusCode(), body.length == 0 ? null : JSON.readValue(body, JsonNode.class));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static HttpResponse<InputStream> send(HttpRequest request) {
        try {
            return CLIENT.send(request, BodyHandlers.ofInputStream());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
