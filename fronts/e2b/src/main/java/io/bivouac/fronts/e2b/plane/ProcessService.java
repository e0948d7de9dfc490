package io.bivouac.fronts.e2b.plane;

import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.sandboxio.command.CommandOrder;
import io.bivouac.sandboxio.command.CommandOrder.Reading;
import io.bivouac.sandboxio.command.CommandStatus;
import io.bivouac.sandboxio.command.Commands;
import io.bivouac.sandboxio.command.ProcessSettings;
import io.bivouac.sandboxio.command.Program;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Commands: started, followed, typed to, listed and ended. */
@Controller("/process.Process")
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class ProcessService {
    private static final int KILL = 9;
    private static final int TERM = 15;

    private final Calls calls;
    private final Commands commands;
    private final ProcessSettings settings;
    private final Envelopes envelopes;

    ProcessService(Calls calls, Commands commands, ProcessSettings settings, Envelopes envelopes) {
        this.calls = calls;
        this.commands = commands;
        this.settings = settings;
        this.envelopes = envelopes;
    }

    @Post("/Start")
    Mono<HttpResponse<?>> start(HttpRequest<?> request, @Body byte[] body) {
        return calls.stream(request, body, this::start);
    }

    private Mono<Flux<ByteBuf>> start(Call call) {
        if (Json.at(call.message(), "pty") != null) {
            throw new BivouacException(ErrorCode.UNSUPPORTED_BY_RUNTIME, "Terminals are not served to this SDK.");
        }
        // A command of E2B goes on when its reader leaves.
        var order = CommandOrder.of(program(call), null, Reading.IN_BACKGROUND, call.timeoutMillis(), null, settings);
        return commands.stream(
                call.sandbox(), call.caller(), order, Json.flag(call.message(), "stdin"), new ConnectFrames(envelopes));
    }

    private static Program program(Call call) {
        var process = Json.at(call.message(), "process");
        var words = new ArrayList<String>();
        var command = Json.text(process, "cmd");
        words.add(command == null ? "" : command);
        var arguments = Json.at(process, "args");
        if (arguments != null) {
            arguments.values().forEach(word -> words.add(word.coerceStringValue()));
        }
        var variables = new HashMap<String, String>();
        var envs = Json.at(process, "envs");
        if (envs != null) {
            envs.entries()
                    .forEach(env -> variables.put(env.getKey(), env.getValue().coerceStringValue()));
        }
        return new Program(new Program.Argv(words), variables, folder(Json.text(process, "cwd")), call.user());
    }

    private static @Nullable String folder(@Nullable String cwd) {
        return cwd == null || cwd.isEmpty() ? null : cwd;
    }

    @Post("/Connect")
    Mono<HttpResponse<?>> connect(HttpRequest<?> request, @Body byte[] body) {
        return calls.stream(
                request,
                body,
                call -> commands.follow(call.sandbox(), call.caller(), named(call), new ConnectFrames(envelopes)));
    }

    private List<CommandStatus> running(Call call) {
        return commands.list(call.sandbox(), call.caller()).stream()
                .filter(CommandStatus::isRunning)
                .toList();
    }

    private CommandStatus named(Call call) {
        int pid = pid(call);
        return running(call).stream()
                .filter(command -> command.pid() == pid)
                .findFirst()
                .orElseThrow(() ->
                        new BivouacException(ErrorCode.COMMAND_NOT_FOUND, "No command with pid " + pid + " runs."));
    }

    private static int pid(Call call) {
        return Json.number(Json.at(call.message(), "process"), "pid");
    }

    @Post("/List")
    Mono<HttpResponse<?>> list(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(request, body, call -> {
            var shown = running(call).stream().map(ProcessService::shown).toList();
            return Mono.just(Json.of("processes", JsonNode.createArrayNode(shown)));
        });
    }

    private static JsonNode shown(CommandStatus command) {
        var config = Json.of(Map.of("cmd", command.command(), "args", JsonNode.createArrayNode(List.of())));
        return Json.of(Map.of("pid", command.pid(), "config", config));
    }

    @Post("/SendInput")
    Mono<HttpResponse<?>> sendInput(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(request, body, call -> {
            var text = Json.text(Json.at(call.message(), "input"), "stdin");
            commands.type(call.sandbox(), call.caller(), pid(call), decoded(text == null ? "" : text));
            return Mono.just(Json.EMPTY);
        });
    }

    private static byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            throw BivouacException.invalidRequest("input.stdin must be Base64.");
        }
    }

    @Post("/CloseStdin")
    Mono<HttpResponse<?>> closeStdin(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(request, body, call -> {
            commands.type(call.sandbox(), call.caller(), pid(call), null);
            return Mono.just(Json.EMPTY);
        });
    }

    @Post("/SendSignal")
    Mono<HttpResponse<?>> sendSignal(HttpRequest<?> request, @Body byte[] body) {
        return calls.unary(request, body, call -> {
            boolean kill = !"SIGNAL_SIGTERM".equals(Json.text(call.message(), "signal"));
            commands.kill(call.sandbox(), call.caller(), named(call).commandId(), kill ? KILL : TERM);
            return Mono.just(Json.EMPTY);
        });
    }
}
