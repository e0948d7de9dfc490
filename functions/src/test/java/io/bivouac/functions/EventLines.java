package io.bivouac.functions;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A plain reader of server-sent events, which sees what a browser would, and comments too. */
final class EventLines implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final BufferedReader lines;
    private String lastId;

    /** One block of the stream. */
    record Block(String id, String name, JsonNode data, String comment) {
        String text(String field) {
            return data.get(field).coerceStringValue();
        }
    }

    EventLines(HttpRequest request) {
        try {
            var response = http.send(request, BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new AssertionError("the stream was answered " + response.statusCode() + " "
                        + new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
            }
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    String lastId() {
        return lastId;
    }

    /** The next event; comments and bare ids are passed over. */
    Block event() {
        while (true) {
            var block = block();
            if (block.data() != null) {
                return block;
            }
        }
    }

    Block block() {
        String name = null;
        String comment = null;
        JsonNode data = null;
        try {
            while (true) {
                var line = lines.readLine();
                if (line == null) {
                    throw new AssertionError("the stream has ended");
                }
                if (line.isEmpty()) {
                    return new Block(lastId, name, data, comment);
                }
                if (line.startsWith("id: ")) {
                    lastId = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    name = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = JsonMapper.createDefault().readValue(line.substring(6), JsonNode.class);
                } else if (line.startsWith(":")) {
                    comment = line.substring(1).strip();
                }
            }
        } catch (IOException cut) {
            throw new UncheckedIOException(cut);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
