package io.bivouac.launcher;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The server as its clients see it. */
record Api(HttpClient client, String url, String key) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = ObjectMapper.getDefault();
    private static final String SANDBOXES = "/api/v1/sandboxes";

    HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    HttpResponse<String> create() throws IOException, InterruptedException {
        return send("POST", SANDBOXES, "{\"template\": \"default\"}");
    }

    HttpResponse<String> delete(String id) throws IOException, InterruptedException {
        return send("DELETE", SANDBOXES + "/" + id, "");
    }

    HttpResponse<String> stop(String id) throws IOException, InterruptedException {
        return send("POST", SANDBOXES + "/" + id + "/stop", "");
    }

    HttpResponse<String> extend(String id) throws IOException, InterruptedException {
        return send("POST", SANDBOXES + "/" + id + "/extend", "{\"seconds\": 60}");
    }

    /** @param more further fields of the request, each with a comma in front */
    HttpResponse<String> run(String id, String command, String more) throws IOException, InterruptedException {
        return send("POST", SANDBOXES + "/" + id + "/process/run", "{\"command\": \"%s\"%s}".formatted(command, more));
    }

    /** A sandbox that a test cannot do without. */
    String created() throws IOException, InterruptedException {
        return text(expect(201, create()), "id");
    }

    /** Everything that is listed, by id. */
    Map<String, Map<String, Object>> sandboxes() throws IOException, InterruptedException {
        var all = new java.util.TreeMap<String, Map<String, Object>>();
        var cursor = "";
        do {
            var page = json(expect(200, send("GET", SANDBOXES + "?limit=100" + cursor, "")));
            for (var item : items(page)) {
                all.put(String.valueOf(item.get("id")), item);
            }
            cursor = page.get("nextCursor") == null ? "" : "&cursor=" + page.get("nextCursor");
        } while (!cursor.isEmpty());
        return all;
    }

    /** What an answer without an end has brought within this time; nothing when it is refused. */
    String readFor(Duration time, String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + key)
                .build();
        var response = client.send(request, BodyHandlers.ofInputStream());
        try (var body = response.body()) {
            var seen = new ByteArrayOutputStream();
            var reading = Thread.ofVirtual().start(() -> copy(body, seen));
            reading.join(time);
            return response.statusCode() == 200 ? seen.toString(StandardCharsets.UTF_8) : "";
        }
    }

    private static void copy(InputStream body, ByteArrayOutputStream seen) {
        try {
            body.transferTo(seen);
        } catch (IOException closed) {
            // Enough was read, or the server is gone.
        }
    }

    boolean isReady() {
        try {
            return send("GET", "/ready", "").statusCode() == 200;
        } catch (IOException away) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static HttpResponse<String> expect(int status, HttpResponse<String> response) {
        if (response.statusCode() != status) {
            throw new AssertionError("%s %s: expected %d, seen %d: %s"
                    .formatted(
                            response.request().method(),
                            response.request().uri().getPath(),
                            status,
                            response.statusCode(),
                            response.body()));
        }
        return response;
    }

    static String text(HttpResponse<String> response, String field) throws IOException {
        return String.valueOf(json(response).get(field));
    }

    static Map<String, Object> json(HttpResponse<String> response) throws IOException {
        return JSON.readValue(response.body(), Argument.mapOf(String.class, Object.class));
    }

    private static List<Map<String, Object>> items(Map<String, Object> page) {
        var items = new ArrayList<Map<String, Object>>();
        for (var item : (List<?>) page.get("items")) {
            var fields = new java.util.HashMap<String, Object>();
            ((Map<?, ?>) item).forEach((name, value) -> fields.put(String.valueOf(name), value));
            items.add(fields);
        }
        return items;
    }
}
