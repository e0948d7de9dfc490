package io.bivouac.agentlink.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;

/** A client's key, and the proofs that it makes. */
public record DpopKey(ECKey key) {
    public static DpopKey next() {
        try {
            return new DpopKey(new ECKeyGenerator(Curve.P_256).generate());
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public String thumbprint() throws JOSEException {
        return key.computeThumbprint().toString();
    }

    public static String hash(String token) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
            return Base64URL.encode(digest).toString();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public static JWTClaimsSet.Builder claims(String method, String url) {
        return new JWTClaimsSet.Builder()
                .claim("htm", method)
                .claim("htu", url)
                .jwtID(UUID.randomUUID().toString())
                .issueTime(Date.from(Instant.now()));
    }

    /** A proof that is right. */
    public String proof(String method, String url, String token) {
        var claims = claims(method, url);
        return sign(header().build(), (token == null ? claims : claims.claim("ath", hash(token))).build());
    }

    public JWSHeader.Builder header() {
        return new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(new JOSEObjectType("dpop+jwt"))
                .jwk(key.toPublicJWK());
    }

    public String sign(JWSHeader header, JWTClaimsSet claims) {
        try {
            var proof = new SignedJWT(header, claims);
            proof.sign(new ECDSASigner(key));
            return proof.serialize();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
