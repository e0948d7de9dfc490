package io.bivouac.webhooks.endpoint;

import io.bivouac.events.TypePatterns;
import io.bivouac.webhooks.signing.SigningKeys;
import io.micronaut.core.annotation.Nullable;
import java.net.URI;
import java.time.Instant;

/**
 * Where a project wants its events.
 *
 * @param sequence how many events there are about this endpoint itself
 * @param version rises with every change that somebody asked for
 */
public record Endpoint(
        String id,
        String project,
        URI url,
        @Nullable String description,
        TypePatterns types,
        Manner manner,
        Keys keys,
        Health health,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant deletedAt,
        long sequence,
        long version) {

    /** Which of the two retry schedules. */
    public enum Retry {
        LONG,
        SHORT
    }

    /**
     * How deliveries are made.
     *
     * @param fifo one at a time, in order
     * @param rateLimit a second; null for none
     */
    public record Manner(
            Retry retry, boolean fifo, @Nullable Integer rateLimit, int concurrency) {}

    /** What deliveries are signed with; the former keys sign as well until their time is over. */
    public record Keys(
            SigningKeys current,
            @Nullable SigningKeys previous,
            @Nullable Instant previousUntil) {}

    /** Why it gets nothing, if so: its owner's wish, an answer of 410, or days without a success. */
    public enum Disabled {
        USER,
        GONE,
        FAILING
    }

    public record Health(
            @Nullable Disabled disabled,
            @Nullable Instant disabledAt,
            @Nullable Instant failingSince) {
        static final Health GOOD = new Health(null, null, null);
    }

    public boolean isEnabled() {
        return health.disabled() == null && deletedAt == null;
    }

    /** Never what is said about itself: a disabled endpoint would be told of its own end. */
    public boolean wants(String type, String subject) {
        return deletedAt == null && types.match(type) && !id.equals(subject);
    }

    Endpoint disabled(Disabled reason, Instant at) {
        return with(new Health(reason, at, health.failingSince()), sequence, at);
    }

    Endpoint enabled(Instant at) {
        return with(Health.GOOD, sequence, at);
    }

    Endpoint spokenAbout() {
        return with(health, sequence + 1, updatedAt);
    }

    private Endpoint with(Health newHealth, long newSequence, Instant at) {
        return new Endpoint(
                id,
                project,
                url,
                description,
                types,
                manner,
                keys,
                newHealth,
                createdAt,
                at,
                deletedAt,
                newSequence,
                version);
    }

    Endpoint with(Keys newKeys, Instant at) {
        return new Endpoint(
                id,
                project,
                url,
                description,
                types,
                manner,
                newKeys,
                health,
                createdAt,
                at,
                deletedAt,
                sequence,
                version);
    }

    Endpoint deleted(Instant at) {
        return new Endpoint(
                id, project, url, description, types, manner, keys, health, createdAt, at, at, sequence, version);
    }
}
