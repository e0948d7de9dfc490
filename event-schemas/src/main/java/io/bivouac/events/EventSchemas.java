package io.bivouac.events;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The JSON Schemas of all events, as this build has them on its class path. */
public final class EventSchemas {
    /** What every schema's id begins with; its name follows. */
    public static final String ID_PREFIX = "urn:bivouac:schema:";

    private static final String DATA = "data:";
    private static final List<String> SHARED = List.of(
            "envelope",
            DATA + "sandbox",
            DATA + "agent",
            DATA + "terminal",
            DATA + "permission",
            DATA + "webhook",
            DATA + "webhook-test");

    private EventSchemas() {}

    /** The names of all schemas: what they share, and one for each type. */
    public static List<String> names() {
        var types = Arrays.stream(EventType.values()).map(EventType::wireName);
        return Stream.concat(SHARED.stream(), types).toList();
    }

    /** The text of a schema. */
    public static String text(String name) {
        var path = "/schemas/" + name.replace(':', '/') + ".json";
        try (var file = EventSchemas.class.getResourceAsStream(path)) {
            if (file == null) {
                throw new IllegalArgumentException("there is no schema " + name);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + path, unreadable);
        }
    }
}
