package io.bivouac.http;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.memory.Holding;
import io.bivouac.foundation.memory.MemoryBudget;
import io.bivouac.foundation.memory.Purpose;
import io.bivouac.foundation.paging.Page;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.http.context.event.HttpRequestTerminatedEvent;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.micronaut.runtime.event.annotation.EventListener;
import io.netty.buffer.Unpooled;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Makes large answers within the memory budget: room for the largest one is taken before it is made, and what it
 * really needs is held until the client has it. Thread-safe.
 */
@Singleton
public class Answers {
    /** How long a request waits for room before it is refused. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Rows, what is made of them, and their JSON are in memory at once. */
    private static final int WHILE_MADE = 4;

    /** The JSON, and what it is copied to on its way. */
    private static final int WHILE_SENT = 2;

    private static final String HOLDING = "bivouac.holding";

    private final MemoryBudget budget;

    Answers(MemoryBudget budget) {
        this.budget = budget;
    }

    public <T> Page<T> page(Caller caller, Supplier<Page<T>> load) {
        return held(Purpose.LISTING, caller, Page.LARGEST_BYTES, load, Page::bytes);
    }

    /**
     * An answer to the request under way.
     *
     * @param most bytes that it may have as JSON
     * @param size bytes that it has
     */
    public <T> T held(Purpose purpose, Caller caller, long most, Supplier<T> make, ToLongFunction<T> size) {
        var request = ServerRequestContext.currentRequest()
                .orElseThrow(() -> new IllegalStateException("an answer is held for a request, and there is none"));
        var holding = budget.holding(purpose, caller.project(), request.getAttributes());
        holding.takeWithin(PATIENCE, WHILE_MADE * most);
        request.setAttribute(HOLDING, holding);
        var answer = make.get();
        holding.settle(WHILE_SENT * size.applyAsLong(answer));
        return answer;
    }

    /** The answer was handed to the connection, or nobody is there to hear it. */
    @EventListener
    void ended(HttpRequestTerminatedEvent event) {
        var request = event.getSource();
        request.getAttribute(HOLDING, Holding.class).ifPresent(holding -> closeWhenSent(request, holding));
    }

    private static void closeWhenSent(HttpRequest<?> request, Holding holding) {
        if (request instanceof NettyHttpRequest<?> netty) {
            // Nothing, written behind the answer, is sent when the answer is.
            netty.getChannelHandlerContext()
                    .writeAndFlush(Unpooled.EMPTY_BUFFER)
                    .addListener(_ -> holding.close());
        } else {
            holding.close();
        }
    }
}
