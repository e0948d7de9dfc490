package io.bivouac.fronts.e2b.plane;

import io.bivouac.sandboxio.file.FileEvent;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;

/** Changes in a folder as E2B's SDKs read them: by names that begin in that folder. */
final class WatchEvents {
    private WatchEvents() {}

    /** None for an overflow, for which there is no event. */
    static List<JsonNode> of(FileEvent event, String folder) {
        return switch (event.type()) {
            case CREATED -> List.of(event("CREATE", event.path(), folder));
            case CHANGED -> List.of(event("WRITE", event.path(), folder));
            case REMOVED -> List.of(event("REMOVE", event.path(), folder));
            case MOVED -> {
                var from = event("RENAME", event.path(), folder);
                yield event.to() == null ? List.of(from) : List.of(from, event("CREATE", event.to(), folder));
            }
            case OVERFLOW -> List.of();
        };
    }

    private static JsonNode event(String type, String path, String folder) {
        var start = folder.endsWith("/") ? folder : folder + "/";
        var name = path.startsWith(start) ? path.substring(start.length()) : path;
        return Json.of(Map.of("name", name, "type", "EVENT_TYPE_" + type));
    }
}
