package io.bivouac.fronts.mcp;

import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.lifecycle.CreateSandboxes;
import io.bivouac.sandboxes.lifecycle.EndSandboxes;
import io.bivouac.sandboxes.lifecycle.SandboxOrder;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.lifecycle.StartPlan;
import io.bivouac.sandboxes.lifecycle.StartSandboxes;
import io.bivouac.sandboxes.store.SandboxFilter;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Tools that make, show, start, stop and delete sandboxes. Thread-safe. */
@Singleton
@Requires(condition = McpIsOn.class)
class SandboxTools implements Tools {
    private static final int MOST_LISTED = 100;
    private static final String DEFAULT_TEMPLATE = "default";

    private final Sandboxes sandboxes;
    private final Lives lives;
    private final NamedSandbox named;
    private final JsonMapper json;

    /** What begins and ends sandboxes. */
    @Singleton
    record Lives(CreateSandboxes creates, StartSandboxes starts, EndSandboxes ends) {}

    SandboxTools(Sandboxes sandboxes, Lives lives, NamedSandbox named, JsonMapper json) {
        this.sandboxes = sandboxes;
        this.lives = lives;
        this.named = named;
        this.json = json;
    }

    @Override
    public Map<String, Function<ToolCall, Mono<Map<String, Object>>>> byName() {
        return Map.of(
                "create_sandbox", call -> shown(create(call)),
                "list_sandboxes", this::list,
                "start_sandbox",
                        call -> shown(lives.starts()
                                .start(named.of(call), call.caller())
                                .sandbox()),
                "stop_sandbox", call -> shown(lives.ends().stop(named.of(call), call.caller())),
                "extend_sandbox", call -> shown(extend(call)),
                "delete_sandbox", this::delete);
    }

    private Mono<Map<String, Object>> shown(Sandbox sandbox) {
        return Mono.just(ToolResult.facts(NamedSandbox.shown(sandbox), json));
    }

    private Sandbox create(ToolCall call) {
        call.caller().mustBe(Role.DEVELOPER);
        var given = call.arguments();
        var template = given.text("template");
        var hosts = given.list("allowHosts");
        var order = new SandboxOrder(
                template == null ? DEFAULT_TEMPLATE : template,
                given.text("name"),
                SandboxOrder.timeout(given.whole("timeoutSeconds")),
                given.texts("envs"),
                null,
                given.texts("labels"),
                null,
                hosts == null ? null : EgressPolicy.requested(hosts),
                false,
                false);
        return lives.creates()
                .create(order, call.caller(), StartPlan.WAITING)
                .mustNotHaveFailed()
                .sandbox();
    }

    private Mono<Map<String, Object>> list(ToolCall call) {
        var labels = call.arguments().texts("labels");
        var filter = new SandboxFilter(
                state(call.arguments().text("state")), null, labels == null ? Map.of() : labels, null, MOST_LISTED);
        var page = sandboxes.list(call.caller(), filter);
        var shown = page.items().stream().map(NamedSandbox::shown).toList();
        return Mono.just(ToolResult.facts(Map.of("sandboxes", shown, "more", page.nextCursor() != null), json));
    }

    private static @Nullable String state(@Nullable String name) {
        if (name == null
                || name.equals(Sandbox.EXPIRED)
                || SandboxState.ofWireName(name).isPresent()) {
            return name;
        }
        throw BivouacException.invalidRequest("There is no state " + name + ".");
    }

    private Sandbox extend(ToolCall call) {
        var seconds = call.arguments().whole("seconds");
        if (seconds == null) {
            throw BivouacException.invalidRequest("seconds is missing.");
        }
        return sandboxes.extend(named.of(call), call.caller(), Duration.ofSeconds(seconds));
    }

    private Mono<Map<String, Object>> delete(ToolCall call) {
        var id = named.of(call);
        lives.ends().delete(id, call.arguments().flag("keepWorkspace"), call.caller());
        return Mono.just(ToolResult.text("Sandbox " + id + " is gone."));
    }
}
