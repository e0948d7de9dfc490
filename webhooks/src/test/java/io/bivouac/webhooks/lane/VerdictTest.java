package io.bivouac.webhooks.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.webhooks.delivery.Delivery;
import io.bivouac.webhooks.delivery.Outcome;
import io.bivouac.webhooks.delivery.Outcome.State;
import io.bivouac.webhooks.endpoint.Endpoint.Retry;
import io.bivouac.webhooks.sending.Answer;
import io.bivouac.webhooks.sending.Answer.Answered;
import io.bivouac.webhooks.sending.Answer.NoAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static Outcome verdict(Answer answer, int attemptsBefore) {
        var delivery = Delivery.claimed("whd_", null, null, new Delivery.Claim(attemptsBefore, 0));
        return Verdict.of(delivery, answer, Retry.SHORT, Instant.EPOCH, 5, new Random(1));
    }

    @Test
    void onlyTwoHundredsAreASuccess() {
        assertThat(verdict(new Answered(200, "", null), 0).state()).isEqualTo(State.DELIVERED);
        assertThat(verdict(new Answered(299, "", null), 0).state()).isEqualTo(State.DELIVERED);
        for (int status : new int[] {199, 301, 302, 400, 404, 410, 429, 500}) {
            assertThat(verdict(new Answered(status, "", null), 0).state()).isEqualTo(State.WAITING);
        }
        assertThat(verdict(new NoAnswer("silence"), 0).state()).isEqualTo(State.WAITING);
    }

    @Test
    void theReceiversOwnPauseCountsWhenItIsLonger() {
        assertThat(verdict(new Answered(503, "", Duration.ofMinutes(1)), 0).delayMillis())
                .isEqualTo(60_000);
        assertThat(verdict(new Answered(503, "", Duration.ofMillis(1)), 0).delayMillis())
                .isBetween(1_000L, 1_200L);
    }

    @Test
    void theLastFailureOfTheScheduleIsTheEnd() {
        assertThat(verdict(new NoAnswer("silence"), 2).state()).isEqualTo(State.WAITING);
        assertThat(verdict(new NoAnswer("silence"), 3).state()).isEqualTo(State.DEAD);
    }
}
