package io.bivouac.agentlink.testing;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads server-sent events as a browser would. */
public final class Events implements Closeable {
    private final BufferedReader lines;

    public Events(InputStream body) {
        lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /** One event; a comment counts as one whose type is {@code comment}. */
    public record Event(String type, String id, JsonNode data) {
        public String text() {
            return data.get("data").getStringValue();
        }
    }

    /** Null at the end. */
    public Event next() {
        try {
            String type = null;
            String id = null;
            JsonNode data = null;
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    return new Event(type, id, data);
                } else if (line.startsWith(":")) {
                    type = "comment";
                } else if (line.startsWith("event: ")) {
                    type = line.substring(7);
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    data = ObjectMapper.getDefault().readValue(line.substring(6), JsonNode.class);
                }
            }
            return null;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public List<Event> rest() {
        var events = new ArrayList<Event>();
        for (var event = next(); event != null; event = next()) {
            events.add(event);
        }
        return events;
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
