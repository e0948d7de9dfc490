package io.bivouac.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.bivouac.identity.fetch.FetchFailed;
import io.bivouac.identity.fetch.GuardedFetch;
import jakarta.inject.Singleton;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Finds issuers' public keys, as OpenID Connect Discovery has it. Thread-safe. */
@Singleton
class Issuers {
    private static final int REMEMBERED = 1_000;

    /** Somebody may name keys that do not exist over and over. */
    private static final Duration SOONEST_AGAIN = Duration.ofSeconds(30);

    private static final int MOST_KEYS = 100;

    private final GuardedFetch fetch;
    private final Clock clock;
    private final Cache<String, Keys> known;

    private record Keys(JWKSet keys, Instant fetchedAt) {}

    Issuers(GuardedFetch fetch, Clock clock, SolidSettings settings) {
        this.fetch = fetch;
        this.clock = clock;
        this.known = Caffeine.newBuilder()
                .maximumSize(REMEMBERED)
                .expireAfterWrite(settings.getKeysKept())
                .build();
    }

    /** Those that this header may mean; none when the issuer has no such key. */
    List<JWK> keysFor(String issuer, JWSHeader header) throws FetchFailed {
        var keys = known.getIfPresent(issuer);
        if (keys == null) {
            keys = fetched(issuer);
        }
        var fitting = fitting(keys, header);
        boolean maySeekAgain =
                Duration.between(keys.fetchedAt(), clock.instant()).compareTo(SOONEST_AGAIN) > 0;
        return fitting.isEmpty() && maySeekAgain ? fitting(fetched(issuer), header) : fitting;
    }

    private static List<JWK> fitting(Keys keys, JWSHeader header) {
        return new JWKSelector(JWKMatcher.forJWSHeader(header)).select(keys.keys());
    }

    private Keys fetched(String issuer) throws FetchFailed {
        try {
            var configuration = json(URI.create(issuer.replaceFirst("/$", "") + "/.well-known/openid-configuration"));
            if (!issuer.equals(configuration.get("issuer"))) {
                throw FetchFailed.forGood("its configuration is another issuer's");
            }
            if (!(configuration.get("jwks_uri") instanceof String address)) {
                throw FetchFailed.forGood("its configuration names no keys");
            }
            var keys = JWKSet.parse(json(URI.create(address)));
            if (keys.size() > MOST_KEYS) {
                throw FetchFailed.forGood("it has more than " + MOST_KEYS + " keys");
            }
            var fetched = new Keys(keys, clock.instant());
            known.put(issuer, fetched);
            return fetched;
        } catch (ParseException | IllegalArgumentException malformed) {
            throw FetchFailed.forGood("its configuration or keys cannot be read");
        }
    }

    private Map<String, Object> json(URI address) throws FetchFailed, ParseException {
        var document = fetch.exchange("GET", address, Map.of("Accept", "application/json"), null);
        if (!document.isFound()) {
            throw new FetchFailed(
                    address.getPath() + " answers with status " + document.status(), document.status() >= 500);
        }
        return JSONObjectUtils.parse(new String(document.body(), StandardCharsets.UTF_8));
    }
}
