package io.bivouac.webhooks.lane;

import io.bivouac.webhooks.delivery.Attempt;
import io.bivouac.webhooks.delivery.Delivery;
import io.bivouac.webhooks.delivery.Outcome;
import io.bivouac.webhooks.delivery.RetrySchedule;
import io.bivouac.webhooks.endpoint.Endpoint.Retry;
import io.bivouac.webhooks.sending.Answer;
import io.bivouac.webhooks.sending.Answer.Answered;
import io.bivouac.webhooks.sending.Answer.NoAnswer;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** What an answer means for a delivery: taken, to be tried again later, or given up. Decides and does nothing. */
final class Verdict {
    private Verdict() {}

    static Outcome of(Delivery delivery, Answer answer, Retry retry, Instant at, long millis, RandomGenerator random) {
        return switch (answer) {
            case Answered taken
            when taken.isSuccess() ->
                Outcome.delivered(delivery, new Attempt(at, millis, taken.status(), null, textOrNull(taken.body())));
            case Answered refusal ->
                again(
                        delivery,
                        new Attempt(at, millis, refusal.status(), null, textOrNull(refusal.body())),
                        retry,
                        refusal.retryAfter() == null ? Duration.ZERO : refusal.retryAfter(),
                        random);
            case NoAnswer silence ->
                again(delivery, new Attempt(at, millis, null, silence.reason(), null), retry, Duration.ZERO, random);
        };
    }

    private static Outcome again(
            Delivery delivery, Attempt attempt, Retry retry, Duration atLeast, RandomGenerator random) {
        var delay = RetrySchedule.after(retry, delivery.attempts() + 1, random);
        return delay.isEmpty()
                ? Outcome.dead(delivery, attempt)
                : Outcome.retriedAfter(delivery, attempt, Math.max(delay.getAsLong(), atLeast.toMillis()));
    }

    @Nullable private static String textOrNull(String body) {
        return body.isEmpty() ? null : body;
    }
}
