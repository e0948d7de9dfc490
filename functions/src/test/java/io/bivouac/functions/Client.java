package io.bivouac.functions;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A plain HTTP client for tests. */
final class Client {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.createDefault();

    private final URI base;
    private final String key;

    Client(URL base, String key) {
        this(URI.create(base.toString()), key);
    }

    private Client(URI base, String key) {
        this.base = base;
        this.key = key;
    }

    Client as(String otherKey) {
        return new Client(base, otherKey);
    }

    /** The same key, at the server that the other one speaks to. */
    Client at(Client other) {
        return new Client(other.base, key);
    }

    /** An answer; its JSON is reached by paths such as {@code /items/0/id}. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        String body() {
            return response.body();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse(null);
        }

        JsonNode json(String path) {
            try {
                var node = JSON.readValue(response.body(), JsonNode.class);
                for (var step : path.substring(1).split("/")) {
                    if (node == null) {
                        return null;
                    }
                    node = node.isArray() ? node.get(Integer.parseInt(step)) : node.get(step);
                }
                return node;
            } catch (IOException notJson) {
                throw new UncheckedIOException("not JSON: " + response.body(), notJson);
            }
        }

        String text(String path) {
            var node = json(path);
            return node == null || node.isNull() ? null : node.coerceStringValue();
        }

        /** {@code status code NAME}, as one word for assertions. */
        String problem() {
            return status() + " " + text("/code") + " " + text("/name");
        }
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer post(String path, String body, String... headers) {
        var request = request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    Answer put(String path, String body) {
        return send(request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body)));
    }

    Answer patch(String path, String body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString(body)));
    }

    Answer delete(String path) {
        return send(request(path).DELETE());
    }

    HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(base.resolve(path));
        return key == null ? request : request.header("Authorization", "Bearer " + key);
    }

    Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(HTTP.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    /** A running sandbox of the default template. */
    String newSandbox() {
        return post("/api/v1/sandboxes", "{\"template\":\"default\"}").text("/id");
    }
}
