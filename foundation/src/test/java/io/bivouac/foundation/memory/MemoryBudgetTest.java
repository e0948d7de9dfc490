package io.bivouac.foundation.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final Duration NO_WAIT = Duration.ZERO;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MemoryBudget budget = budget(900);

    private MemoryBudget budget(long bytes) {
        var settings = new MemorySettings();
        settings.setBudget(bytes);
        return new MemoryBudget(settings, registry);
    }

    private Holding holding(String project) {
        return budget.holding(Purpose.LISTING, project, this);
    }

    @Test
    void defaults() {
        var settings = new MemorySettings();
        assertThat(settings.getBudget()).isEqualTo(Runtime.getRuntime().maxMemory() / 8 * 3);
        assertThat(settings.largestShare()).isEqualTo(settings.getBudget() / 3 * 2);
    }

    @Test
    void aProjectAloneHasTwoThirdsAndTheNextOneStillFindsRoom() {
        assertThat(holding("a").take(600)).isTrue();
        assertThat(holding("a").take(1)).isFalse();
        assertThat(holding("b").take(200)).isTrue();
        assertThat(holding("b").take(1)).isFalse();
        assertThat(holding("c").take(60)).isTrue();
    }

    @Test
    void whoFillsTheBudgetIsToldSoAndOthersThatItIsFull() {
        holding("a").take(600);
        holding("b").take(200);
        assertThat(refusal("a", 200).code()).isEqualTo(ErrorCode.RATE_LIMITED);
        assertThat(refusal("b", 200).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(registry.get("bivouac.memory.refused")
                        .tag("purpose", "listing")
                        .tag("cause", "project")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("bivouac.memory.held")
                        .tag("purpose", "listing")
                        .gauge()
                        .value())
                .isEqualTo(800);
    }

    private BivouacException refusal(String project, long bytes) {
        var refused = new BivouacException[1];
        assertThatThrownBy(() -> holding(project).takeWithin(NO_WAIT, bytes))
                .isInstanceOfSatisfying(BivouacException.class, thrown -> refused[0] = thrown);
        return refused[0];
    }

    @Test
    void whatIsGivenBackGoesToWhoeverWaits() {
        var first = holding("a");
        first.take(600);
        var waiting = CompletableFuture.runAsync(() -> holding("a").takeWithin(Duration.ofMinutes(1), 500));
        first.settle(100);
        waiting.join();
        first.close();
        assertThat(holding("a").take(100)).isTrue();
    }

    @Test
    void aClosedHoldingTakesNothing() {
        var closed = holding("a");
        closed.close();
        assertThat(closed.take(10_000)).isTrue();
        assertThat(holding("a").take(600)).isTrue();
    }
}
