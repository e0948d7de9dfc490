package io.bivouac.webhooks.endpoint;

import io.bivouac.events.TypePatterns;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.database.StorableText;
import io.bivouac.foundation.share.Party;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.webhooks.endpoint.Endpoint.Disabled;
import io.bivouac.webhooks.endpoint.Endpoint.Health;
import io.bivouac.webhooks.endpoint.Endpoint.Keys;
import io.bivouac.webhooks.endpoint.Endpoint.Manner;
import io.bivouac.webhooks.endpoint.Endpoint.Retry;
import io.bivouac.webhooks.signing.SigningKeys;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;

/** Turns a request into an endpoint, or says what is wrong with it. */
@Singleton
class EndpointRules {
    static final int DEFAULT_CONCURRENCY = 32;
    private static final int MOST_CONCURRENCY = 100;
    private static final int MOST_A_SECOND = 10_000;
    private static final int MOST_TYPES = 50;
    private static final int LONGEST_DESCRIPTION = 512;
    private static final Manner USUAL = new Manner(Retry.LONG, false, null, DEFAULT_CONCURRENCY);

    private final EndpointUrls urls;

    EndpointRules(EndpointUrls urls) {
        this.urls = urls;
    }

    /** @param maker on whose account the URL is looked up */
    Endpoint made(EndpointRequest request, Caller maker, Instant at) {
        return new Endpoint(
                EndpointId.next(),
                maker.project(),
                urls.check(request.url(), Party.of(maker)),
                described(request.description(), null),
                request.types() == null ? TypePatterns.all() : types(request.types()),
                manner(request, USUAL),
                new Keys(SigningKeys.fresh(isAsymmetric(request.signing(), false)), null, null),
                Boolean.FALSE.equals(request.enabled()) ? new Health(Disabled.USER, at, null) : Health.GOOD,
                at,
                at,
                null,
                0,
                0);
    }

    /** @param changer on whose account a new URL is looked up */
    Endpoint changed(Endpoint before, EndpointRequest request, Caller changer, Instant at) {
        return new Endpoint(
                before.id(),
                before.project(),
                request.url() == null ? before.url() : urls.check(request.url(), Party.of(changer)),
                described(request.description(), before.description()),
                request.types() == null ? before.types() : types(request.types()),
                manner(request, before.manner()),
                keys(before.keys(), request.signing()),
                health(before, request.enabled(), at),
                before.createdAt(),
                at,
                before.deletedAt(),
                before.sequence(),
                before.version());
    }

    private static TypePatterns types(List<String> asked) {
        if (asked.isEmpty() || asked.size() > MOST_TYPES) {
            throw refused("types must name 1 to " + MOST_TYPES + " types; leave it out for all.");
        }
        try {
            return TypePatterns.checked(asked);
        } catch (IllegalArgumentException unknown) {
            throw refused(unknown.getMessage());
        }
    }

    private static Health health(Endpoint before, @Nullable Boolean enabled, Instant at) {
        if (enabled == null || enabled == before.isEnabled()) {
            return before.health();
        }
        return enabled
                ? Health.GOOD
                : new Health(Disabled.USER, at, before.health().failingSince());
    }

    private static Keys keys(Keys before, @Nullable String signing) {
        boolean had = before.current().seed() != null;
        boolean wanted = isAsymmetric(signing, had);
        if (had == wanted) {
            return before;
        }
        return new Keys(
                wanted ? before.current().withFreshSeed() : before.current().withoutSeed(),
                before.previous(),
                before.previousUntil());
    }

    private static Manner manner(EndpointRequest request, Manner before) {
        return new Manner(
                request.retry() == null ? before.retry() : retry(request.retry()),
                request.fifo() == null ? before.fifo() : request.fifo(),
                request.rateLimit() == null ? before.rateLimit() : rateLimit(request.rateLimit()),
                request.concurrency() == null ? before.concurrency() : concurrency(request.concurrency()));
    }

    private static Retry retry(String name) {
        return switch (name) {
            case "long" -> Retry.LONG;
            case "short" -> Retry.SHORT;
            default -> throw refused("retry must be long or short.");
        };
    }

    private static boolean isAsymmetric(@Nullable String signing, boolean before) {
        return switch (signing) {
            case null -> before;
            case "v1" -> false;
            case "v1a" -> true;
            default -> throw refused("signing must be v1 or v1a.");
        };
    }

    @Nullable private static Integer rateLimit(int perSecond) {
        if (perSecond < 0 || perSecond > MOST_A_SECOND) {
            throw refused("rateLimit must be between 1 and " + MOST_A_SECOND + " a second, or 0 for none.");
        }
        return perSecond == 0 ? null : perSecond;
    }

    private static int concurrency(int atOnce) {
        if (atOnce < 1 || atOnce > MOST_CONCURRENCY) {
            throw refused("concurrency must be between 1 and " + MOST_CONCURRENCY + ".");
        }
        return atOnce;
    }

    @Nullable private static String described(@Nullable String asked, @Nullable String before) {
        if (asked == null) {
            return before;
        }
        if (asked.length() > LONGEST_DESCRIPTION) {
            throw refused("description may have at most " + LONGEST_DESCRIPTION + " characters.");
        }
        return asked.isBlank() ? null : StorableText.checked("description", asked);
    }

    private static BivouacException refused(String detail) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, detail);
    }
}
