package io.bivouac.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.bivouac.foundation.access.BoundToken;
import io.bivouac.sandboxmodel.Sha256;
import io.micronaut.core.annotation.Nullable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;

/**
 * What shows that a request was made by the holder of a key, checked as RFC 9449 §4.3 has it. Whether it was shown
 * before is for {@link UsedProofs} to say, and whether the key is the token's for {@link SolidTokens}.
 *
 * @param thumbprint of its key, by RFC 7638
 */
record DpopProof(String thumbprint, String id, Instant issuedAt) {
    /** Old proofs may have been seen by somebody; new ones come from a clock that is ahead of ours. */
    static final Duration OLDEST = Duration.ofSeconds(60);

    static final Duration MOST_AHEAD = Duration.ofSeconds(10);

    private static final JOSEObjectType TYPE = new JOSEObjectType("dpop+jwt");
    private static final int LONGEST = 8 * 1024;
    private static final int LONGEST_ID = 512;

    /** @param needsHash whether a proof that does not say for which token it is made is refused */
    static DpopProof check(BoundToken presented, Instant now, boolean needsHash) {
        // (1) not more than one, (2) a single well-formed JWT
        if (presented.proofs().size() != 1) {
            throw Refused.proof(
                    "there must be one DPoP header, not " + presented.proofs().size());
        }
        var text = presented.proofs().getFirst();
        if (text.length() > LONGEST) {
            throw Refused.proof("it is longer than " + LONGEST + " characters");
        }
        try {
            var proof = SignedJWT.parse(text);
            var thumbprint = thumbprintOf(proof);
            var claims = proof.getJWTClaimsSet();
            mustBeFor(presented.token(), claims.getStringClaim("ath"), needsHash);
            return claims(claims, thumbprint, presented, now);
        } catch (ParseException | JOSEException | IllegalArgumentException malformed) {
            throw Refused.proof("it cannot be read");
        }
    }

    /** (4) the type, (5) an asymmetric signature, (6) that fits the key inside, (7) which is no private one. */
    private static String thumbprintOf(SignedJWT proof) throws JOSEException {
        var header = proof.getHeader();
        if (!TYPE.equals(header.getType())) {
            throw Refused.proof("its type must be dpop+jwt");
        }
        var key = header.getJWK();
        if (key == null) {
            throw Refused.proof("it carries no key");
        }
        if (key.isPrivate()) {
            throw Refused.proof("it carries a private key, which is now known to others");
        }
        if (!Signatures.isGood(proof, key)) {
            throw Refused.proof("its signature is not one by the key that it carries");
        }
        return key.computeThumbprint().toString();
    }

    /** (12) the token. */
    private static void mustBeFor(String token, @Nullable String hash, boolean needsHash) {
        if (hash == null && needsHash) {
            throw Refused.proof("ath, the hash of the token, is missing");
        }
        if (hash != null && !hash.equals(hash(token))) {
            throw Refused.proof("ath is not the hash of this token");
        }
    }

    /** (3) all claims, (8) the method, (9) the address, (11) the time. We give out no nonces (10). */
    private static DpopProof claims(JWTClaimsSet claims, String thumbprint, BoundToken presented, Instant now)
            throws ParseException {
        var id = claims.getJWTID();
        if (id == null || id.isEmpty() || id.length() > LONGEST_ID) {
            throw Refused.proof("jti must have 1 to " + LONGEST_ID + " characters");
        }
        if (!presented.method().equals(claims.getStringClaim("htm"))) {
            throw Refused.proof("htm is not this request's method");
        }
        if (!isSameUrl(claims.getStringClaim("htu"), presented.url())) {
            throw Refused.proof("htu is not this address, which is " + presented.url());
        }
        if (claims.getIssueTime() == null) {
            throw Refused.proof("iat is missing");
        }
        var issuedAt = claims.getIssueTime().toInstant();
        if (issuedAt.isBefore(now.minus(OLDEST)) || issuedAt.isAfter(now.plus(MOST_AHEAD))) {
            throw Refused.proof("iat is too far from the present");
        }
        return new DpopProof(thumbprint, id, issuedAt);
    }

    /** Without query and fragment, and after the normalisation of RFC 3986 §6.2.2 and §6.2.3. */
    static boolean isSameUrl(String claimed, String ours) {
        return claimed != null && normal(URI.create(claimed)).equals(normal(URI.create(ours)));
    }

    private static String normal(URI url) {
        if (url.getScheme() == null || url.getHost() == null || url.getRawUserInfo() != null) {
            throw new IllegalArgumentException("no absolute address");
        }
        var scheme = url.getScheme().toLowerCase(Locale.ROOT);
        int usual = scheme.equals("https") ? 443 : 80;
        int port = url.getPort() < 0 ? usual : url.getPort();
        var path = Objects.requireNonNullElse(url.normalize().getRawPath(), "");
        return scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port + (path.isEmpty() ? "/" : path);
    }

    static String hash(String token) {
        return Base64URL.encode(Sha256.of(token.getBytes(StandardCharsets.US_ASCII)))
                .toString();
    }
}
