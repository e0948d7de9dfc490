package io.bivouac.agentlink;

import com.google.protobuf.Message;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.Ping;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Questions to an agent that wait for their answers. Thread-safe. */
final class Questions {
    private final AtomicLong next = new AtomicLong();
    private final Map<Long, CompletableFuture<AgentMessage>> waiting = new ConcurrentHashMap<>();

    /** Waits for the answer to a question, which gets a number of its own. */
    AgentMessage ask(RelayMessage question, ControlStream control) {
        try {
            return ask(id -> control.send(numbered(question, id)), Bounds.ANSWER_WAIT);
        } catch (TimeoutException silent) {
            throw unavailable("The sandbox's agent did not answer in time.");
        }
    }

    /** Whatever is asked: all questions call their number {@code request_id}. */
    private static RelayMessage numbered(RelayMessage question, long id) {
        var asked = question.getAllFields().entrySet().stream().findFirst();
        var number = asked.map(entry ->
                        ((Message) entry.getValue()).getDescriptorForType().findFieldByName("request_id"))
                .orElseThrow(() -> new IllegalArgumentException("no question"));
        var content = ((Message) asked.get().getValue()).toBuilder().setField(number, id);
        return question.toBuilder()
                .setField(asked.get().getKey(), content.build())
                .build();
    }

    private AgentMessage ask(LongConsumer question, Duration atMost) throws TimeoutException {
        if (waiting.size() >= Bounds.QUESTIONS) {
            throw unavailable("The sandbox's agent has too many questions to answer; try again.");
        }
        long id = next.incrementAndGet();
        var answer = new CompletableFuture<AgentMessage>();
        waiting.put(id, answer);
        try {
            question.accept(id);
            return answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException broken) {
            throw unavailable("The connection to the sandbox's agent broke.");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw unavailable("The relay is stopping.");
        } finally {
            waiting.remove(id);
        }
    }

    boolean ping(ControlStream control, Duration atMost) {
        try {
            ask(
                    id -> control.send(RelayMessage.newBuilder()
                            .setPing(Ping.newBuilder().setNonce(id))
                            .build()),
                    atMost);
            return true;
        } catch (TimeoutException | BivouacException silent) {
            return false;
        }
    }

    /** False when nobody waits for it. */
    boolean answer(long id, AgentMessage answer) {
        var question = waiting.remove(id);
        return question != null && question.complete(answer);
    }

    boolean wasAsked(long id) {
        return id > 0 && id <= next.get();
    }

    void giveUp() {
        waiting.values().forEach(question -> question.completeExceptionally(new IllegalStateException("broken")));
    }

    private static BivouacException unavailable(String why) {
        return new BivouacException(ErrorCode.UNAVAILABLE, why);
    }
}
