package io.bivouac.sessions.pod;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.bivouac.identity.fetch.FetchFailed;
import io.bivouac.identity.fetch.GuardedFetch;
import io.bivouac.sandboxmodel.Sha256;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The relay's own login at Solid servers: a caller's proof is good for the caller's request only. Thread-safe. */
@Singleton
class RelayLogin {
    /** A token is not used in its last moments. */
    private static final Duration BEFORE_ITS_END = Duration.ofSeconds(30);

    private final GuardedFetch fetch;
    private final RelayCredentials credentials;
    private final Clock clock;
    private @Nullable ECKey key;
    private @Nullable Token token;

    private record Token(String text, Instant end) {}

    RelayLogin(GuardedFetch fetch, RelayCredentials credentials, Clock clock) {
        this.fetch = fetch.forPods();
        this.credentials = credentials;
        this.clock = clock;
    }

    boolean isConfigured() {
        return credentials.getIssuer() != null && credentials.getId() != null && credentials.getSecret() != null;
    }

    /** What a request of ours for this address says about who we are. */
    Map<String, String> headers(String method, URI url) throws FetchFailed {
        var text = token();
        return Map.of("Authorization", "DPoP " + text, "DPoP", proof(method, url, text));
    }

    private synchronized String token() throws FetchFailed {
        var now = clock.instant();
        if (token == null || now.isAfter(token.end())) {
            token = fresh(now);
        }
        return token.text();
    }

    private Token fresh(Instant now) throws FetchFailed {
        try {
            var issuer = credentials.getIssuer().replaceFirst("/$", "");
            var configuration = json("GET", URI.create(issuer + "/.well-known/openid-configuration"), Map.of(), null);
            var endpoint = URI.create(String.valueOf(configuration.get("token_endpoint")));
            var login = credentials.getId() + ":" + credentials.getSecret();
            var basic = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
            var headers = new HashMap<>(Map.of(
                    "Authorization",
                    "Basic " + basic,
                    "Content-Type",
                    "application/x-www-form-urlencoded",
                    "DPoP",
                    proof("POST", endpoint, null)));
            var form = "grant_type=client_credentials&scope=webid".getBytes(StandardCharsets.US_ASCII);
            var answer = json("POST", endpoint, headers, form);
            if (!(answer.get("access_token") instanceof String text)
                    || !(answer.get("expires_in") instanceof Number seconds)) {
                throw FetchFailed.forGood("the relay's issuer gives no token");
            }
            return new Token(text, now.plusSeconds(seconds.longValue()).minus(BEFORE_ITS_END));
        } catch (ParseException | IllegalArgumentException malformed) {
            throw FetchFailed.forGood("the relay's issuer cannot be understood");
        }
    }

    private Map<String, Object> json(String method, URI url, Map<String, String> headers, byte[] body)
            throws FetchFailed, ParseException {
        var document = fetch.exchange(method, url, headers, body);
        if (!document.isFound()) {
            throw FetchFailed.forNow("the relay's issuer answers with status " + document.status());
        }
        return JSONObjectUtils.parse(new String(document.body(), StandardCharsets.UTF_8));
    }

    /** Made when it is first needed: that takes a while, and most servers log in nowhere. */
    private synchronized ECKey key() throws JOSEException {
        if (key == null) {
            key = new ECKeyGenerator(Curve.P_256).generate();
        }
        return key;
    }

    private String proof(String method, URI url, @Nullable String text) {
        try {
            var signing = key();
            var claims = new JWTClaimsSet.Builder()
                    .claim("htm", method)
                    .claim("htu", url.toString())
                    .jwtID(UUID.randomUUID().toString())
                    .issueTime(Date.from(clock.instant()));
            if (text != null) {
                var hash = Sha256.of(text.getBytes(StandardCharsets.US_ASCII));
                claims.claim("ath", Base64URL.encode(hash).toString());
            }
            var header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                    .type(new JOSEObjectType("dpop+jwt"))
                    .jwk(signing.toPublicJWK())
                    .build();
            var proof = new SignedJWT(header, claims.build());
            proof.sign(new ECDSASigner(signing));
            return proof.serialize();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
