package io.bivouac.sandboxio.file;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A client of one sandbox's files. */
record FilesOverHttp(String base, String key) {
    static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = ObjectMapper.getDefault();

    /** A whole answer. */
    record Answer(HttpResponse<byte[]> response) {
        int status() {
            return response.statusCode();
        }

        byte[] bytes() {
            return response.body();
        }

        String text() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        JsonNode json() {
            try {
                return JSON.readValue(response.body(), JsonNode.class);
            } catch (IOException noJson) {
                throw new UncheckedIOException(text(), noJson);
            }
        }

        /** The error's number. */
        int code() {
            return json().get("code").getIntValue();
        }

        Optional<String> header(String name) {
            return response.headers().firstValue(name);
        }
    }

    static String query(String path) {
        return "?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8);
    }

    Answer get(String operation, String path, String... headers) {
        return send(request(operation + query(path), headers).GET());
    }

    /** @param query what follows the question mark */
    HttpResponse<InputStream> open(String operation, String query) {
        try {
            return CLIENT.send(request(operation + "?" + query).GET().build(), BodyHandlers.ofInputStream());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    Answer put(String path, String contents, String... headers) {
        return put(path, BodyPublishers.ofString(contents), headers);
    }

    Answer put(String path, BodyPublisher contents, String... headers) {
        return send(request("/content" + query(path), headers).PUT(contents));
    }

    Answer put(String operation, String path, BodyPublisher contents) {
        return send(request(operation + query(path)).PUT(contents));
    }

    Answer post(String operation, String json) {
        return send(request(operation, "Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    Answer patch(String json) {
        return send(request("", "Content-Type", "application/json").method("PATCH", BodyPublishers.ofString(json)));
    }

    Answer delete(String query) {
        return send(request(query).DELETE());
    }

    HttpRequest.Builder request(String rest, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(base + rest));
        if (!key.isEmpty()) {
            request.header("X-API-Key", key);
        }
        return headers.length == 0 ? request : request.headers(headers);
    }

    static Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(CLIENT.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
