package io.bivouac.fronts.mcp;

import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxNames;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which sandbox a call means, and how one is shown. Thread-safe. */
@Singleton
class NamedSandbox {
    private final SandboxNames names;

    NamedSandbox(SandboxNames names) {
        this.names = names;
    }

    SandboxId of(ToolCall call) {
        return of(call, call.arguments().needed("sandbox"));
    }

    /** Asks the database where the text is no whole id. */
    SandboxId of(ToolCall call, String text) {
        return SandboxId.isOne(text)
                ? new SandboxId(text)
                : names.find(call.caller().project(), text);
    }

    /** What a model needs; tokens stay out of conversations. */
    static Map<String, Object> shown(Sandbox sandbox) {
        var definition = sandbox.definition();
        var shown = new LinkedHashMap<String, Object>();
        shown.put("id", sandbox.id().value());
        if (definition.name() != null) {
            shown.put("name", definition.name());
        }
        shown.put("state", sandbox.state().wireName());
        if (sandbox.status().reason() != null) {
            shown.put("stateReason", sandbox.status().reason());
        }
        shown.put("template", definition.template());
        shown.put("labels", definition.labels());
        shown.put("allowHosts", definition.egress().hosts());
        shown.put("createdAt", sandbox.lifetime().createdAt().toString());
        shown.put("expiresAt", sandbox.lifetime().expiresAt().toString());
        return shown;
    }
}
