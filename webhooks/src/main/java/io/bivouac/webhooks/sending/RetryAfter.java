package io.bivouac.webhooks.sending;

import io.micronaut.core.annotation.Nullable;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** RFC 9110 §10.2.3: seconds, or a date. */
final class RetryAfter {
    private static final Duration LONGEST = Duration.ofHours(24);

    private RetryAfter() {}

    @Nullable static Duration in(HttpHeaders headers) {
        var text = headers.get(HttpHeaderNames.RETRY_AFTER);
        return text == null ? null : parse(text.strip(), Instant.now());
    }

    /** What cannot be read counts as not said; nobody is left alone for longer than a day. */
    @Nullable static Duration parse(String text, Instant now) {
        try {
            var wait = text.matches("\\d{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(text))
                    : Duration.between(
                            now,
                            ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant());
            return wait.isNegative() ? null : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
        } catch (DateTimeException unreadable) {
            return null;
        }
    }
}
