package io.bivouac.fronts.mcp;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import reactor.core.publisher.Mono;

/** Takes one message and answers it: with JSON, or with a stream of events where a command runs. */
@Controller("/mcp")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = McpIsOn.class)
class McpEndpoint {
    private static final String SESSION = "Mcp-Session-Id";
    private static final int LONGEST_SESSION = 128;

    private final JsonMapper json;
    private final Messages messages;
    private final Greeting greeting;
    private final Toolbox tools;
    private final Answerers answerers;

    /** Who answers what is more than a tool with one answer. */
    @jakarta.inject.Singleton
    @Requires(condition = McpIsOn.class)
    record Answerers(CommandTool commands, FileResources resources, NamedSandbox named) {}

    McpEndpoint(JsonMapper json, Messages messages, Greeting greeting, Toolbox tools, Answerers answerers) {
        this.json = json;
        this.messages = messages;
        this.greeting = greeting;
        this.tools = tools;
        this.answerers = answerers;
    }

    @Post
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM})
    Mono<HttpResponse<?>> take(@Body byte[] body, HttpRequest<?> http, Caller caller) {
        JsonNode message;
        try {
            message = json.readValue(body, JsonNode.class);
        } catch (IOException notJson) {
            return refused(Messages.PARSE_ERROR, "The body is not JSON.");
        }
        var method = message.isObject() ? message.get("method") : null;
        if (message.isArray() || (message.isObject() && method != null && !method.isString())) {
            return refused(Messages.INVALID_REQUEST, "One message at a time is taken, and its method is a string.");
        }
        if (method == null) {
            return message.isObject() && (message.get("result") != null || message.get("error") != null)
                    ? Mono.just(HttpResponse.accepted())
                    : refused(Messages.INVALID_REQUEST, "This is no message of JSON-RPC.");
        }
        var session = session(http);
        var params = message.get("params");
        var id = message.get("id");
        if (id == null || id.isNull()) {
            noted(method.getStringValue(), params, session, caller);
            return Mono.just(HttpResponse.accepted());
        }
        var asked = new Asked(id, session, caller);
        return Mono.defer(() -> answer(method.getStringValue(), params, asked))
                .onErrorResume(BivouacException.class, refusal -> Mono.just(error(id, code(refusal), refusal)));
    }

    private record Asked(JsonNode id, @Nullable String session, Caller caller) {
        ToolCall call(@Nullable JsonNode params, @Nullable JsonNode arguments) {
            var meta = params == null ? null : params.get("_meta");
            return new ToolCall(
                    caller, new Arguments(arguments), id, session, meta == null ? null : meta.get("progressToken"));
        }
    }

    private static @Nullable String session(HttpRequest<?> http) {
        var session = http.getHeaders().get(SESSION);
        return session == null || session.length() > LONGEST_SESSION ? null : session;
    }

    private void noted(String method, @Nullable JsonNode params, @Nullable String session, Caller caller) {
        var cancelled = params == null ? null : params.get("requestId");
        if (method.equals("notifications/cancelled") && cancelled != null) {
            answerers.commands().cancel(caller, session, cancelled);
        }
    }

    private Mono<HttpResponse<?>> answer(String method, @Nullable JsonNode params, Asked asked) {
        return switch (method) {
            case "initialize" ->
                Mono.just(result(asked, greeting.of(params))
                        .header(SESSION, UUID.randomUUID().toString()));
            case "ping" -> Mono.just(result(asked, Map.of()));
            case "tools/list" -> Mono.just(result(asked, Map.of("tools", tools.definitions())));
            case "tools/call" -> call(params, asked);
            case "resources/templates/list" ->
                Mono.just(result(asked, answerers.resources().templates()));
            case "resources/list" -> answerers.resources().list(asked.caller()).map(found -> result(asked, found));
            case "resources/read" ->
                answerers
                        .resources()
                        .read(asked.call(params, params), answerers.named())
                        .map(found -> result(asked, found));
            default ->
                Mono.just(HttpResponse.ok(messages.written(Messages.error(
                                asked.id(), Messages.METHOD_NOT_FOUND, "There is no method " + method + ".")))
                        .contentType(MediaType.APPLICATION_JSON_TYPE));
        };
    }

    private Mono<HttpResponse<?>> call(@Nullable JsonNode params, Asked asked) {
        var name = params == null ? null : params.get("name");
        if (name == null || !name.isString() || !tools.has(name.getStringValue())) {
            throw BivouacException.invalidRequest("There is no such tool.");
        }
        var call = asked.call(params, params.get("arguments"));
        if (!name.getStringValue().equals(CommandTool.NAME)) {
            return tools.call(name.getStringValue(), call).map(found -> result(asked, found));
        }
        return Mono.defer(() -> run(call, asked))
                .onErrorResume(BivouacException.class, refusal -> Mono.just(result(asked, ToolResult.failed(refusal))));
    }

    private Mono<HttpResponse<?>> run(ToolCall call, Asked asked) {
        tools.check(CommandTool.NAME, call);
        if (CommandTool.isInBackground(call)) {
            return answerers.commands().start(call).map(found -> result(asked, found));
        }
        return answerers
                .commands()
                .run(call)
                .map(events -> HttpResponse.ok(events)
                        .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
                        .header(HttpHeaders.CACHE_CONTROL, "no-store")
                        .header("X-Accel-Buffering", "no"));
    }

    private MutableHttpResponse<?> result(Asked asked, Object result) {
        return HttpResponse.ok(messages.written(Messages.response(asked.id(), result)))
                .contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    private HttpResponse<?> error(JsonNode id, int code, BivouacException refusal) {
        return HttpResponse.ok(messages.written(Messages.error(id, code, refusal.getMessage())))
                .contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    private static int code(BivouacException refusal) {
        return switch (refusal.code()) {
            case FILE_NOT_FOUND, SANDBOX_NOT_FOUND -> Messages.RESOURCE_NOT_FOUND;
            case INTERNAL_ERROR -> Messages.INTERNAL_ERROR;
            default -> Messages.INVALID_PARAMS;
        };
    }

    private Mono<HttpResponse<?>> refused(int code, String words) {
        return Mono.just(HttpResponse.status(HttpStatus.BAD_REQUEST)
                .body(messages.written(Messages.error(JsonNode.nullNode(), code, words)))
                .contentType(MediaType.APPLICATION_JSON_TYPE));
    }
}
