package io.bivouac.sandboxio.command;

import io.bivouac.agent.v1.Attach;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.memory.MemoryBudget;
import io.bivouac.foundation.memory.Purpose;
import io.bivouac.sandboxio.command.CommandMetrics.Ending;
import io.micronaut.core.annotation.Nullable;
import io.netty.buffer.ByteBuf;
import jakarta.inject.Singleton;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs, lists and ends commands in a sandbox, for every front: who may, with which agent, and within which bounds.
 * Thread-safe.
 */
@Singleton
public class Commands {
    /** What an agent may take beyond a command's timeout: to end it, and to tell. */
    private static final Duration GRACE = Duration.ofSeconds(15);

    private static final int HIGHEST_SIGNAL = 31;

    private final SandboxAccess access;
    private final CommandMetrics metrics;
    private final MemoryBudget budget;
    private final ProcessSettings settings;
    private final CommandInputs inputs;

    Commands(
            SandboxAccess access,
            CommandMetrics metrics,
            MemoryBudget budget,
            ProcessSettings settings,
            CommandInputs inputs) {
        this.access = access;
        this.metrics = metrics;
        this.budget = budget;
        this.settings = settings;
        this.inputs = inputs;
    }

    /** The result in one piece. Cancelling leaves the command, which then ends by its own rules. */
    public Mono<CommandResult> run(String sandbox, Caller caller, CommandOrder order) {
        return access.agentLater(sandbox, caller).flatMap(agent -> collect(agent, caller.project(), order));
    }

    /** The command's id, as soon as it runs. */
    public Mono<String> startInBackground(String sandbox, Caller caller, CommandOrder order) {
        return access.agentLater(sandbox, caller).flatMap(agent -> startInBackground(agent, order));
    }

    /** The commands that run in a sandbox, and those that ended a short while ago. Waits for the agent. */
    public List<CommandStatus> list(String sandbox, Caller caller) {
        return access.agent(sandbox, caller).commands().stream()
                .map(CommandStatus::of)
                .toList();
    }

    /** Sends a signal to a command and all that it has started. Waits for the agent. */
    public void kill(String sandbox, Caller caller, String commandId, int signal) {
        if (signal < 1 || signal > HIGHEST_SIGNAL) {
            throw CommandOrder.invalid("signal must be between 1 and " + HIGHEST_SIGNAL + "; 15 asks, 9 forces.");
        }
        var command = CommandId.parse(commandId);
        var answer = access.agent(sandbox, caller).kill(command, signal);
        if (!answer.getOk()) {
            throw CommandFailures.refused(answer.getFailure().getKind(), "The signal could not be sent.", command);
        }
    }

    /** Server-sent events, at the client's own pace. */
    Mono<StreamedOutput> stream(String sandbox, Caller caller, CommandOrder order) {
        return access.agentLater(sandbox, caller)
                .flatMap(agent -> stream(agent, caller.project(), order).begun());
    }

    /** The same of a command that was started before, from an offset. Waits for the agent. */
    Mono<StreamedOutput> events(String sandbox, Caller caller, String commandId, OutputPosition position) {
        return events(access.agent(sandbox, caller), caller.project(), position.from(commandId))
                .begun();
    }

    /** The plain bytes of one stream, from an offset. Waits for the agent. */
    Mono<RawOutput> raw(String sandbox, Caller caller, String commandId, OutputPosition position) {
        return raw(access.agent(sandbox, caller), caller.project(), oneStream(position.from(commandId)))
                .begun()
                .cast(RawOutput.class);
    }

    private static Attach.Builder oneStream(Attach.Builder attach) {
        return attach.getStdout() ? attach.setStderr(false) : attach;
    }

    Mono<CommandResult> collect(Agent agent, String project, CommandOrder order) {
        var reading = metrics.begin();
        var output = new CollectedOutput(order, reading, budget, project);
        var stream = started(reading, () -> start(agent, order, output));
        stream.giveUpAfter(order.timeout().plus(GRACE));
        return Mono.fromFuture(output.result(), true).doOnCancel(() -> output.leave(stream));
    }

    private Mono<String> startInBackground(Agent agent, CommandOrder order) {
        var reading = metrics.begin();
        var start = new BackgroundStart(order.commandId(), !order.stdin().isEmpty(), reading);
        started(reading, () -> start(agent, order, start));
        return Mono.fromFuture(start.running(), true);
    }

    /**
     * A new command's output in the client's own frames.
     *
     * @param typed whether {@link #type} reaches the command for as long as its output is read here
     */
    public Mono<Flux<ByteBuf>> stream(
            String sandbox, Caller caller, CommandOrder order, boolean typed, OutputFrames frames) {
        return access.agentLater(sandbox, caller).flatMap(agent -> {
            var reading = streaming(caller.project());
            var events = new EventStream(order.commandId(), frames, settings.getPingEvery(), reading);
            if (!typed) {
                started(reading, () -> start(agent, order, events));
                return events.begun().map(StreamedOutput::body);
            }
            var input = new TypedListener(events, sandbox, inputs);
            var run = RunMessages.of(order, settings.getLinger()).setStdin(true);
            started(reading, () -> agent.start(run, input));
            return events.begun().map(begun -> begun.body().doFinally(_ -> input.forget()));
        });
    }

    /** The output from now on of a command that runs, in the client's own frames. Waits for the agent. */
    public Mono<Flux<ByteBuf>> follow(String sandbox, Caller caller, CommandStatus command, OutputFrames frames) {
        var attach = Attach.newBuilder()
                .setCommandId(command.commandId())
                .setStdout(true)
                .setStderr(true)
                .setStdoutOffset(command.stdoutBytes())
                .setStderrOffset(command.stderrBytes());
        var agent = access.agent(sandbox, caller);
        var reading = streaming(caller.project());
        var events = new EventStream(command.commandId(), frames, settings.getPingEvery(), reading);
        started(reading, () -> agent.attach(attach, events));
        return events.begun().map(StreamedOutput::body);
    }

    /**
     * What a command has written to its stdout until it was looked at, from an offset on. Waits for the agent.
     *
     * @param most bytes that are given at once
     */
    public Mono<OutputPiece> written(String sandbox, Caller caller, CommandStatus command, long from, int most) {
        if (from >= command.stdoutBytes()) {
            return Mono.just(new OutputPiece(from, new byte[0]));
        }
        var position = new OutputPosition(true, false, from, 0);
        return raw(sandbox, caller, command.commandId(), position)
                .flatMap(output -> output.upTo(command.stdoutBytes(), most));
    }

    /** Types to a command that is streamed from here; no bytes end its input. Waits for the agent. */
    public void type(String sandbox, Caller caller, int pid, @Nullable byte[] data) {
        access.agent(sandbox, caller);
        var place = new CommandInputs.Place(sandbox, pid);
        if (data == null) {
            inputs.end(place);
        } else {
            inputs.write(place, data);
        }
    }

    private EventStream stream(Agent agent, String project, CommandOrder order) {
        var reading = streaming(project);
        var frames = new EventFrames(order.commandId(), 0, 0);
        var events = new EventStream(order.commandId(), frames, settings.getPingEvery(), reading);
        started(reading, () -> start(agent, order, events));
        return events;
    }

    private CommandStream start(Agent agent, CommandOrder order, CommandListener listener) {
        return agent.run(RunMessages.of(order, settings.getLinger()), RunMessages.input(order), listener);
    }

    private EventStream events(Agent agent, String project, Attach.Builder attach) {
        var reading = streaming(project);
        var frames = new EventFrames(attach.getCommandId(), attach.getStdoutOffset(), attach.getStderrOffset());
        var events = new EventStream(attach.getCommandId(), frames, settings.getPingEvery(), reading);
        started(reading, () -> agent.attach(attach, events));
        return events;
    }

    private RawOutput raw(Agent agent, String project, Attach.Builder attach) {
        var reading = streaming(project);
        long from = attach.getStdout() ? attach.getStdoutOffset() : attach.getStderrOffset();
        var output = new RawOutput(attach.getCommandId(), from, reading);
        started(reading, () -> agent.attach(attach, output));
        return output;
    }

    /** A stream holds its window for as long as it is read, since its client may leave that unread. */
    private CommandMetrics.Reading streaming(String project) {
        var owner = new Object();
        var window = budget.holding(Purpose.COMMAND_STREAM, project, owner);
        if (!window.take(CommandStream.WINDOW)) {
            window.close();
            throw window.refusal();
        }
        return metrics.begin(() -> {
            Reference.reachabilityFence(owner);
            window.close();
        });
    }

    private static <T> T started(CommandMetrics.Reading reading, Supplier<T> start) {
        try {
            return start.get();
        } catch (RuntimeException notStarted) {
            reading.end(Ending.REFUSED);
            throw notStarted;
        }
    }
}
