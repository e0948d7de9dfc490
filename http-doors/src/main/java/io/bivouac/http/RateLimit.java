package io.bivouac.http;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * A bucket of requests for each key, refilled evenly; a full second's worth may come at once. Counted in this
 * process: with n replicas a key has n times the rate. Thread-safe.
 */
@Singleton
class RateLimit {
    private static final int REMEMBERED = 10_000;

    private final int perSecond;
    private final LoadingCache<String, Bucket> buckets;

    RateLimit(@Value("${bivouac.rate-limit:5000}") int perSecond) {
        this.perSecond = perSecond;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(REMEMBERED)
                .expireAfterAccess(Duration.ofMinutes(1))
                .build(_ -> new Bucket(perSecond, System.nanoTime()));
    }

    void take(String key) {
        double missing = buckets.get(key).take(System.nanoTime());
        if (missing > 0) {
            throw new TooManyRequests(perSecond, Math.max(1, (long) Math.ceil(missing / perSecond)));
        }
    }

    /** What a key may still ask. */
    static final class Bucket {
        private final int perSecond;
        private double left;
        private long filledAt;

        Bucket(int perSecond, long now) {
            this.perSecond = perSecond;
            this.left = perSecond;
            this.filledAt = now;
        }

        /** Takes one, or tells how many are missing. */
        synchronized double take(long now) {
            left = Math.min(perSecond, left + (now - filledAt) / 1e9 * perSecond);
            filledAt = now;
            if (left < 1) {
                return 1 - left;
            }
            left--;
            return 0;
        }
    }

    /** The bucket is empty. */
    static final class TooManyRequests extends RuntimeException {
        private final long retryAfterSeconds;

        TooManyRequests(int perSecond, long retryAfterSeconds) {
            super("This key may make " + perSecond + " requests a second.");
            this.retryAfterSeconds = retryAfterSeconds;
        }
    }

    @Singleton
    static final class Handler implements ExceptionHandler<TooManyRequests, MutableHttpResponse<Problem>> {
        @Override
        public MutableHttpResponse<Problem> handle(HttpRequest request, TooManyRequests refusal) {
            return Problem.response(ErrorCode.RATE_LIMITED, refusal.getMessage())
                    .header(HttpHeaders.RETRY_AFTER, Long.toString(refusal.retryAfterSeconds));
        }
    }
}
