package io.bivouac.fronts.mcp;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** All tools with what is said of them. Thread-safe. */
@Singleton
@Requires(condition = McpIsOn.class)
class Toolbox {
    private static final String DEFINITIONS = "tools.json";

    private final JsonNode definitions;
    private final Map<String, Set<String>> arguments = new HashMap<>();
    private final Map<String, Function<ToolCall, Mono<Map<String, Object>>>> tools = new HashMap<>();

    Toolbox(List<Tools> all, JsonMapper json) {
        try (var file = Toolbox.class.getResourceAsStream(DEFINITIONS)) {
            definitions = json.readValue(file, JsonNode.class);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        all.forEach(some -> tools.putAll(some.byName()));
        definitions.values().forEach(definition -> {
            var names = new HashSet<String>();
            definition.get("inputSchema").get("properties").entries().forEach(entry -> names.add(entry.getKey()));
            arguments.put(definition.get("name").getStringValue(), names);
        });
    }

    JsonNode definitions() {
        return definitions;
    }

    boolean has(String name) {
        return arguments.containsKey(name);
    }

    /** What the tool throws is its answer. */
    Mono<Map<String, Object>> call(String name, ToolCall call) {
        return Mono.defer(() -> {
                    check(name, call);
                    return tools.get(name).apply(call);
                })
                .onErrorResume(BivouacException.class, refusal -> Mono.just(ToolResult.failed(refusal)));
    }

    void check(String name, ToolCall call) {
        call.arguments().mustBeAmong(arguments.get(name));
    }
}
