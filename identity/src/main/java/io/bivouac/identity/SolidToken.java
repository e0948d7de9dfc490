package io.bivouac.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.bivouac.foundation.access.Visitor;
import io.bivouac.identity.fetch.FetchFailed;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * What a Solid-OIDC token says, in either of the shapes that are in use: an access token (audience {@code solid},
 * {@code client_id}) or an ID token ({@code azp}, {@code solid} among its audiences). Read is not checked:
 * {@link #mustHold} does that.
 *
 * @param thumbprint of the key that it is bound to
 */
record SolidToken(Visitor visitor, String thumbprint, Instant expiresAt, SignedJWT signed) {
    private static final String AUDIENCE = "solid";
    private static final int LONGEST = 16 * 1024;
    private static final int LONGEST_NAME = 2048;
    private static final Duration SKEW = Duration.ofSeconds(10);

    static SolidToken read(String text, Instant now) {
        if (text.length() > LONGEST) {
            throw Refused.token("it is longer than " + LONGEST + " characters");
        }
        try {
            var signed = SignedJWT.parse(text);
            if (!Signatures.ALGORITHMS.contains(signed.getHeader().getAlgorithm())) {
                throw Refused.token("its signature is of a kind that is not taken");
            }
            var claims = signed.getJWTClaimsSet();
            mustBeCurrent(claims, now);
            if (!claims.getAudience().contains(AUDIENCE)) {
                throw Refused.token("its audience is not \"" + AUDIENCE + "\"");
            }
            var visitor = new Visitor(
                    name(claims, "webid"),
                    claims.getClaim("client_id") == null ? name(claims, "azp") : name(claims, "client_id"),
                    name(claims, "iss"));
            return new SolidToken(
                    visitor, thumbprint(claims), claims.getExpirationTime().toInstant(), signed);
        } catch (ParseException | IllegalArgumentException malformed) {
            throw Refused.token("it cannot be read");
        }
    }

    private static void mustBeCurrent(JWTClaimsSet claims, Instant now) {
        var end = claims.getExpirationTime();
        var made = claims.getIssueTime();
        if (end == null || made == null) {
            throw Refused.token("exp and iat are needed");
        }
        if (end.toInstant().plus(SKEW).isBefore(now)) {
            throw Refused.token("it is expired");
        }
        var start = claims.getNotBeforeTime();
        if (made.toInstant().minus(SKEW).isAfter(now)
                || start != null && start.toInstant().minus(SKEW).isAfter(now)) {
            throw Refused.token("it is not valid yet");
        }
    }

    /** Its end, and what clocks may differ by. */
    Instant acceptedUntil() {
        return expiresAt.plus(SKEW);
    }

    private static String name(JWTClaimsSet claims, String claim) throws ParseException {
        var text = claims.getStringClaim(claim);
        if (text == null || text.isEmpty() || text.length() > LONGEST_NAME) {
            throw Refused.token("its claim " + claim + " is missing or too long");
        }
        return text;
    }

    private static String thumbprint(JWTClaimsSet claims) {
        if (claims.getClaim("cnf") instanceof Map<?, ?> confirmation
                && confirmation.get("jkt") instanceof String thumbprint) {
            return thumbprint;
        }
        throw Refused.token("it is bound to no key");
    }

    /** The profile names the issuer, and the issuer has signed. In this order: strangers' issuers are not asked. */
    void mustHold(Profiles profiles, Issuers issuers) {
        try {
            var webId = URI.create(visitor.webId());
            if (!profiles.issuersOf(webId).contains(visitor.issuer())) {
                throw Refused.token("the WebID's profile does not name its issuer");
            }
        } catch (IllegalArgumentException malformed) {
            throw Refused.token("its WebID is no address");
        } catch (FetchFailed failed) {
            throw unread("The WebID's profile", failed);
        }
        try {
            for (var key : issuers.keysFor(visitor.issuer(), signed.getHeader())) {
                if (!key.isPrivate() && Signatures.isGood(signed, key)) {
                    return;
                }
            }
        } catch (JOSEException notTaken) {
            throw Refused.token(notTaken.getMessage());
        } catch (FetchFailed failed) {
            throw unread("The token's issuer", failed);
        }
        throw Refused.token("it is not signed by a key of its issuer");
    }

    private static BivouacException unread(String what, FetchFailed failed) {
        return failed.isTemporary()
                ? new BivouacException(ErrorCode.UNAVAILABLE, what + " cannot be read: " + failed.getMessage() + ".")
                : Refused.token(what + " cannot be read: " + failed.getMessage());
    }
}
