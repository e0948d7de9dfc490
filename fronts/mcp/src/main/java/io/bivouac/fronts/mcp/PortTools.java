package io.bivouac.fronts.mcp;

import io.bivouac.sandboxio.gateway.SandboxPorts;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Tools for the ports of a sandbox. Thread-safe. */
@Singleton
@Requires(condition = McpIsOn.class)
class PortTools implements Tools {
    private final SandboxPorts ports;
    private final NamedSandbox named;
    private final JsonMapper json;

    PortTools(SandboxPorts ports, NamedSandbox named, JsonMapper json) {
        this.ports = ports;
        this.named = named;
        this.json = json;
    }

    @Override
    public Map<String, Function<ToolCall, Mono<Map<String, Object>>>> byName() {
        return Map.of("list_ports", call -> Mono.just(list(call)), "port_link", call -> Mono.just(link(call)));
    }

    private Map<String, Object> list(ToolCall call) {
        var found = ports.list(named.of(call), call.caller()).stream()
                .map(PortTools::shown)
                .toList();
        return ToolResult.facts(Map.of("ports", found), json);
    }

    private static Map<String, Object> shown(SandboxPorts.OpenPort port) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("port", port.port());
        if (port.program() != null) {
            shown.put("program", port.program());
        }
        shown.put("url", port.url());
        return shown;
    }

    private Map<String, Object> link(ToolCall call) {
        var port = call.arguments().whole("port");
        if (port == null) {
            throw BivouacException.invalidRequest("port is missing.");
        }
        var link = ports.link(
                named.of(call), Math.toIntExact(port), call.arguments().whole("expiresInSeconds"), call.caller());
        return ToolResult.facts(
                Map.of("url", link.url(), "expiresAt", link.expiresAt().toString()), json);
    }
}
