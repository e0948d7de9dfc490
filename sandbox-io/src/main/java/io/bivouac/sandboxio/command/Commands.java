package io.bivouac.sandboxio.command;

import io.bivouac.agent.v1.Attach;
import io.bivouac.agentlink.Agent;
import io.bivouac.sandboxio.command.CommandMetrics.Ending;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Starts commands and reads them, each in the way that its client wants. Thread-safe. */
@Singleton
class Commands {
    /** What an agent may take beyond a command's timeout: to end it, and to tell. */
    private static final Duration GRACE = Duration.ofSeconds(15);

    private final CommandMetrics metrics;
    private final OutputBudget budget;
    private final ProcessSettings settings;

    Commands(CommandMetrics metrics, OutputBudget budget, ProcessSettings settings) {
        this.metrics = metrics;
        this.budget = budget;
        this.settings = settings;
    }

    /** The result in one piece. Cancelling leaves the command, which then ends by its own rules. */
    Mono<CommandResult> collect(Agent agent, CommandOrder order) {
        var reading = metrics.begin();
        var output = new CollectedOutput(order, reading, budget);
        var stream = started(reading, () -> agent.run(order.run(), order.input(), output));
        stream.giveUpAfter(Duration.ofMillis(order.run().getTimeoutMillis()).plus(GRACE));
        return Mono.fromFuture(output.result(), true).doOnCancel(() -> output.leave(stream));
    }

    /** The command's id, as soon as it runs. */
    Mono<String> startInBackground(Agent agent, CommandOrder order) {
        var reading = metrics.begin();
        var start = new BackgroundStart(order.commandId(), !order.input().isEmpty(), reading);
        started(reading, () -> agent.run(order.run(), order.input(), start));
        return Mono.fromFuture(start.running(), true);
    }

    EventStream stream(Agent agent, CommandOrder order) {
        var reading = metrics.begin();
        var frames = new EventFrames(order.commandId(), 0, 0);
        var events = new EventStream(order.commandId(), frames, settings.getPingEvery(), reading);
        started(reading, () -> agent.run(order.run(), order.input(), events));
        return events;
    }

    EventStream events(Agent agent, Attach.Builder attach) {
        var reading = metrics.begin();
        var frames = new EventFrames(attach.getCommandId(), attach.getStdoutOffset(), attach.getStderrOffset());
        var events = new EventStream(attach.getCommandId(), frames, settings.getPingEvery(), reading);
        started(reading, () -> agent.attach(attach, events));
        return events;
    }

    RawOutput raw(Agent agent, Attach.Builder attach) {
        var reading = metrics.begin();
        long from = attach.getStdout() ? attach.getStdoutOffset() : attach.getStderrOffset();
        var output = new RawOutput(attach.getCommandId(), from, reading);
        started(reading, () -> agent.attach(attach, output));
        return output;
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
