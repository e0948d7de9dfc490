package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.bivouac.foundation.access.Caller;
import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.fronts.opensandbox.Plane;
import io.bivouac.sandboxio.command.CommandStatus;
import io.bivouac.sandboxio.command.Commands;
import io.bivouac.sandboxio.command.ProcessSettings;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Commands: run, looked at, read and interrupted. */
@Controller(Plane.EXECD + "/command")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class RunCommands {
    /** Where the next reading of a command's output begins. */
    private static final String CURSOR = "EXECD-COMMANDS-TAIL-CURSOR";

    /** Of one reading; the cursor leads to the rest. */
    private static final int MOST_LOGS = 1024 * 1024;

    private static final int TERM = 15;

    private final Insiders insiders;
    private final Commands commands;
    private final ProcessSettings settings;
    private final JsonMapper json;

    RunCommands(Insiders insiders, Commands commands, ProcessSettings settings, JsonMapper json) {
        this.insiders = insiders;
        this.commands = commands;
        this.settings = settings;
        this.json = json;
    }

    @Post
    @Produces(MediaType.TEXT_EVENT_STREAM)
    Mono<HttpResponse<?>> run(SandboxId id, @Body CommandRequest request, HttpRequest<?> http) {
        var caller = insiders.caller(id, http);
        var order = request.order(settings);
        var frames = new ExecdFrames(order.commandId(), json);
        var events = request.isInBackground()
                ? commands.startInBackground(id.value(), caller, order)
                        .map(_ -> Flux.just(frames.start(0), frames.complete(0)))
                : commands.stream(id.value(), caller, order, false, frames);
        return events.map(RunCommands::stream);
    }

    private static HttpResponse<?> stream(Flux<ByteBuf> events) {
        return HttpResponse.ok(events)
                .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    @Delete
    HttpResponse<Void> interrupt(SandboxId id, HttpRequest<?> http) {
        // Named like the sandbox in the path, so it is read by hand.
        var command = http.getParameters().get("id");
        commands.kill(id.value(), insiders.caller(id, http), command == null ? "" : command, TERM);
        return HttpResponse.ok();
    }

    /**
     * A command.
     *
     * @param content its line
     * @param exitCode of one that has ended
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record StatusView(
            String id,
            String content,
            boolean running,
            @JsonProperty("exit_code") @Nullable Integer exitCode,
            @JsonProperty("started_at") Instant startedAt) {}

    @Get("/status/{command}")
    StatusView status(SandboxId id, String command, HttpRequest<?> http) {
        var found = find(id, command, insiders.caller(id, http));
        return new StatusView(
                found.commandId(),
                CommandRequest.line(found.command()),
                found.isRunning(),
                found.exitCode(),
                found.startedAt());
    }

    private CommandStatus find(SandboxId id, String command, Caller caller) {
        return commands.list(id.value(), caller).stream()
                .filter(one -> one.commandId().equals(command))
                .findFirst()
                .orElseThrow(() -> new BivouacException(
                        ErrorCode.COMMAND_NOT_FOUND, "Sandbox " + id + " knows no command " + command + "."));
    }

    /** What was written from the cursor on, until now. */
    @Get("/{command}/logs")
    @Produces(MediaType.TEXT_PLAIN)
    Mono<HttpResponse<?>> logs(SandboxId id, String command, @Nullable @QueryValue Long cursor, HttpRequest<?> http) {
        var caller = insiders.caller(id, http);
        var found = find(id, command, caller);
        long from = cursor == null ? 0 : cursor;
        if (from < 0) {
            throw BivouacException.invalidRequest("cursor must not be negative.");
        }
        return commands.written(id.value(), caller, found, from, MOST_LOGS).map(piece -> {
            var text = piece.wholeCharacters(!found.isRunning());
            return HttpResponse.ok(new String(text, StandardCharsets.UTF_8))
                    .header(CURSOR, Long.toString(piece.offset() + text.length));
        });
    }
}
