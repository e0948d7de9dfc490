package io.bivouac.fronts.mcp;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxio.command.CommandOrder;
import io.bivouac.sandboxio.command.CommandOrder.Reading;
import io.bivouac.sandboxio.command.Commands;
import io.bivouac.sandboxio.command.ProcessSettings;
import io.bivouac.sandboxio.command.Program;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.netty.buffer.ByteBuf;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The tool that runs commands, and ends those whose call was cancelled. Thread-safe. */
@Singleton
@Requires(condition = McpIsOn.class)
class CommandTool {
    static final String NAME = "run_command";

    private static final Logger LOG = LoggerFactory.getLogger(CommandTool.class);
    private static final BigDecimal MILLIS = BigDecimal.valueOf(1000);
    private static final long USUAL_TIMEOUT = Duration.ofMinutes(10).toMillis();

    /** How long a command has to put its things away. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final int TERM = 15;
    private static final int KILL = 9;

    private final Commands commands;
    private final ProcessSettings settings;
    private final NamedSandbox named;
    private final Answering answering;
    private final Map<Place, Running> running = new ConcurrentHashMap<>();

    /** How answers are written, and on which threads a command is ended. */
    @Singleton
    record Answering(
            Messages messages,
            JsonMapper json,
            @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        Scheduler scheduler() {
            return Schedulers.fromExecutorService(threads);
        }
    }

    /** Which call a client means when it cancels one. */
    private record Place(String caller, String session, JsonNode request) {}

    private record Running(SandboxId sandbox, Caller caller, String commandId) {}

    CommandTool(Commands commands, ProcessSettings settings, NamedSandbox named, Answering answering) {
        this.commands = commands;
        this.settings = settings;
        this.named = named;
        this.answering = answering;
    }

    static boolean isInBackground(ToolCall call) {
        return call.arguments().flag("background");
    }

    Mono<Map<String, Object>> start(ToolCall call) {
        var order = order(call, Reading.IN_BACKGROUND, null);
        return commands.startInBackground(named.of(call).value(), call.caller(), order)
                .map(id -> ToolResult.facts(Map.of("commandId", id), answering.json()));
    }

    /** Events with how it goes, and the answer last. */
    Mono<Flux<ByteBuf>> run(ToolCall call) {
        var sandbox = named.of(call);
        var order = order(call, Reading.AS_STREAM, USUAL_TIMEOUT);
        var place = place(call.caller(), call.session(), call.request());
        var frames = new CommandFrames(call, answering.messages());
        running.put(place, new Running(sandbox, call.caller(), order.commandId()));
        return commands.stream(sandbox.value(), call.caller(), order, false, frames)
                .doOnError(_ -> running.remove(place))
                .map(events -> events.doFinally(_ -> running.remove(place)));
    }

    private static Place place(Caller caller, @Nullable String session, JsonNode request) {
        return new Place(caller.id(), session == null ? "" : session, request);
    }

    private CommandOrder order(ToolCall call, Reading reading, @Nullable Long usualTimeout) {
        var given = call.arguments();
        var envs = given.texts("envs");
        var program = new Program(
                new Program.ShellLine(given.needed("command")),
                envs == null ? Map.of() : envs,
                given.text("cwd"),
                null);
        var seconds = given.number("timeoutSeconds");
        var timeout =
                seconds == null ? usualTimeout : (Long) seconds.multiply(MILLIS).longValue();
        return CommandOrder.of(program, given.text("stdin"), reading, timeout, null, settings);
    }

    /** Asks the command of a call to end, and has it killed when it does not. A call that is over has none. */
    void cancel(Caller caller, @Nullable String session, JsonNode request) {
        var place = place(caller, session, request);
        var found = running.get(place);
        if (found != null) {
            kill(found, TERM)
                    .then(Mono.delay(GRACE))
                    .filter(_ -> running.containsValue(found))
                    .flatMap(_ -> kill(found, KILL))
                    .subscribe();
        }
    }

    private Mono<Void> kill(Running command, int signal) {
        return Mono.<Void>fromRunnable(
                        () -> commands.kill(command.sandbox().value(), command.caller(), command.commandId(), signal))
                .subscribeOn(answering.scheduler())
                .onErrorResume(BivouacException.class, gone -> {
                    // A command that has just ended cannot be killed, and need not be.
                    LOG.debug("not killed: {}", gone.getMessage());
                    return Mono.empty();
                });
    }
}
