package io.bivouac.fronts.mcp;

import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.template.Template;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The tool that lists what sandboxes are made from. Thread-safe. */
@Singleton
@Requires(condition = McpIsOn.class)
class TemplateTools implements Tools {
    private final Templates templates;
    private final JsonMapper json;

    TemplateTools(Templates templates, JsonMapper json) {
        this.templates = templates;
        this.json = json;
    }

    @Override
    public Map<String, Function<ToolCall, Mono<Map<String, Object>>>> byName() {
        return Map.of("list_templates", _ -> Mono.just(list()));
    }

    private Map<String, Object> list() {
        var shown = templates.all().stream().map(TemplateTools::shown).toList();
        return ToolResult.facts(Map.of("templates", shown), json);
    }

    private static Map<String, Object> shown(Template template) {
        return Map.of("name", template.name(), "description", Objects.toString(template.description(), ""));
    }
}
