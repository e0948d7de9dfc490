package io.bivouac.webhooks.sending;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;

/** How a request ended. */
public sealed interface Answer {
    /**
     * The receiver answered.
     *
     * @param body its beginning
     * @param retryAfter how long the receiver wants to be left alone
     */
    record Answered(int status, String body, @Nullable Duration retryAfter) implements Answer {
        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    /** There was no answer, or not in time. */
    record NoAnswer(String reason) implements Answer {
        static NoAnswer because(Throwable failure) {
            return new NoAnswer(Reason.of(failure));
        }
    }
}
