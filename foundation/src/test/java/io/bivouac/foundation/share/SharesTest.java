package io.bivouac.foundation.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Party ONE = new Party("one", "key-1");
    private static final Party OTHER_KEY = new Party("one", "key-2");
    private static final Party ANOTHER = new Party("another", "key-3");

    private final Shares shares = new Shares("streams", new Bounds(4, 3, 2));

    @Test
    void aCallerHasNoMoreThanItsShare() {
        take(ONE, 2);
        var refusal = catchThrowableOfType(ShareTaken.class, () -> shares.take(ONE));
        assertThat(refusal.bound()).isEqualTo(Bound.CALLER);
        assertThat(refusal.code()).isEqualTo(ErrorCode.SHARE_LIMIT_EXCEEDED);
        assertThat(refusal)
                .hasMessage("This caller has 2 streams at once, which is the share of one caller; end one first,"
                        + " or try again later.");
        assertThat(refusal.details()).containsEntry("limit", 2).containsEntry("bound", "caller");
    }

    @Test
    void aProjectHasNoMoreThanItsShareWithAllItsKeys() {
        take(ONE, 2);
        take(OTHER_KEY, 1);
        var refusal = catchThrowableOfType(ShareTaken.class, () -> shares.take(OTHER_KEY));
        assertThat(refusal.bound()).isEqualTo(Bound.PROJECT);
        assertThat(shares.take(ANOTHER)).isNotNull();
    }

    @Test
    void allPlacesTakenIsNobodysFault() {
        take(ONE, 2);
        take(OTHER_KEY, 1);
        take(ANOTHER, 1);
        var refusal = catchThrowableOfType(ShareTaken.class, () -> shares.take(ANOTHER));
        assertThat(refusal.bound()).isEqualTo(Bound.TOTAL);
        assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(shares.refused(Bound.TOTAL)).isOne();
    }

    @Test
    void aProjectsOwnBoundTakesThePlaceOfTheUsualOne() {
        shares.take(ONE, 1);
        assertThatThrownBy(() -> shares.take(OTHER_KEY, 1)).hasMessageStartingWith("This project has 1 streams");
    }

    @Test
    void whoeverHoldsNothingIsForgotten() {
        var places = take(ONE, 2);
        assertThat(shares.parties()).isOne();
        places.forEach(Place::close);
        places.forEach(Place::close);
        assertThat(shares.parties()).isZero();
        assertThat(shares.taken()).isZero();
        assertThat(shares.takenBy("one")).isZero();
    }

    @Test
    void theProjectWithTheFewestGoesFirst() {
        var queue = new Shares("starts", new Bounds(2, 2, 2));
        var held = new ArrayList<>(List.of(queue.take(ONE), queue.take(ONE)));
        var order = new CopyOnWriteArrayList<String>();
        var waiting = new ArrayList<CompletableFuture<Place>>();
        for (int i = 0; i < 5; i++) {
            waiting.add(inLine(queue, ONE, order));
        }
        waiting.add(inLine(queue, ANOTHER, order));

        held.getFirst().close();
        assertThat(waiting.getLast().join()).isNotNull();
        assertThat(order).containsExactly("another");
        held.getLast().close();
        assertThat(waiting.getFirst().join()).isNotNull();
        assertThat(order).containsExactly("another", "one");
        for (int i = 1; i < 5; i++) {
            waiting.get(i - 1).join().close();
            assertThat(waiting.get(i).join()).isNotNull();
        }
    }

    @Test
    void aWaitThatIsOverLeavesNothingBehind() {
        take(ONE, 2);
        assertThatThrownBy(() -> shares.await(ONE, Duration.ofMillis(1))).isInstanceOf(ShareTaken.class);
        assertThat(shares.taken()).isEqualTo(2);
    }

    /** Whoever is asked for next comes behind. */
    private static CompletableFuture<Place> inLine(Shares queue, Party party, List<String> order) {
        var place = new CompletableFuture<Place>();
        var thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                var granted = queue.await(party, PATIENCE);
                order.add(party.project());
                place.complete(granted);
            } catch (InterruptedException stopped) {
                place.completeExceptionally(stopped);
            }
        });
        Eventually.that("a wait in line", () -> thread.getState() == Thread.State.TIMED_WAITING);
        return place;
    }

    private List<Place> take(Party party, int times) {
        return IntStream.range(0, times).mapToObj(_ -> shares.take(party)).toList();
    }
}
