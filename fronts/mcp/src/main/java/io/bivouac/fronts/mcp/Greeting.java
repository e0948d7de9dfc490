package io.bivouac.fronts.mcp;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a client hears first. Immutable. */
@Singleton
@Requires(condition = McpIsOn.class)
class Greeting {
    /** The newest first. They differ in nothing that is served here. */
    private static final List<String> VERSIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26");

    private static final String INSTRUCTIONS =
            "Sandboxes are isolated Linux machines: code that is not trusted runs there and not on the user's machine."
                    + " Create one, write files to /workspace, run commands, and delete it at the end.";

    private final String version;

    Greeting(@Value("${bivouac.version:unknown}") String version) {
        this.version = version;
    }

    Map<String, Object> of(@Nullable JsonNode params) {
        var asked = params == null ? null : params.get("protocolVersion");
        var fits = asked != null && asked.isString() && VERSIONS.contains(asked.getStringValue());
        var greeting = new LinkedHashMap<String, Object>();
        greeting.put("protocolVersion", fits ? asked.getStringValue() : VERSIONS.getFirst());
        greeting.put("capabilities", Map.of("tools", Map.of(), "resources", Map.of()));
        greeting.put("serverInfo", Map.of("name", "bivouac", "title", "Bivouac sandboxes", "version", version));
        greeting.put("instructions", INSTRUCTIONS);
        return greeting;
    }
}
