package io.bivouac.fronts.mcp;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers of tools, in the form of the protocol. */
final class ToolResult {
    private ToolResult() {}

    static Map<String, Object> text(String words) {
        return content(List.of(textPart(words)));
    }

    static Map<String, Object> content(List<Map<String, Object>> parts) {
        var result = new LinkedHashMap<String, Object>();
        result.put("content", parts);
        return result;
    }

    static Map<String, Object> textPart(String words) {
        return Map.of("type", "text", "text", words);
    }

    /** As JSON that a program reads, and as the same text for a model. */
    static Map<String, Object> facts(Map<String, ?> facts, JsonMapper json) {
        try {
            var result = text(json.writeValueAsString(Trees.of(facts)));
            result.put("structuredContent", facts);
            return result;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** A failure is the tool's answer, with a way on: a model can act on it, and on an error of the protocol it cannot. */
    static Map<String, Object> failed(Throwable failure) {
        var result = text(
                failure instanceof BivouacException refusal
                        ? refusal.getMessage() + " (" + refusal.code().name() + ", "
                                + refusal.code().number() + ")" + advice(refusal)
                        : "Something went wrong on the server's side.");
        result.put("isError", true);
        return result;
    }

    private static String advice(BivouacException refusal) {
        return switch (refusal.code()) {
            case SANDBOX_NOT_FOUND -> " list_sandboxes shows the sandboxes that there are.";
            case TEMPLATE_NOT_FOUND -> " list_templates shows the templates that there are.";
            case SANDBOX_LIMIT_EXCEEDED -> " delete_sandbox makes room.";
            case SANDBOX_NOT_RUNNING -> refusal.getMessage().contains("is stopped") ? " start_sandbox starts it." : "";
            default -> "";
        };
    }
}
