package io.bivouac.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.Ed25519Verifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import io.bivouac.foundation.access.BoundTokens;
import java.security.Provider;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** Checks signatures with public keys; which signature a key makes is not left to the token to say. */
final class Signatures {
    /** Public-key signatures only: a shared secret would let whoever checks tokens make them. */
    static final Set<JWSAlgorithm> ALGORITHMS = Stream.of(BoundTokens.ALGORITHMS.split(" "))
            .map(JWSAlgorithm::parse)
            .collect(Collectors.toUnmodifiableSet());

    private static final int SMALLEST_RSA = 2048;

    /** A larger one only costs us time. */
    private static final int LARGEST_RSA = 4096;

    private static final int LARGEST_EXPONENT_BITS = 64;

    /** Checks a signature on P-256 several times faster than the JDK's own. */
    private static final Provider CURVES = new BouncyCastleProvider();

    private Signatures() {}

    static boolean isGood(SignedJWT token, JWK key) throws JOSEException {
        var header = token.getHeader();
        // Nothing that a token may call critical is known here.
        if (!ALGORITHMS.contains(header.getAlgorithm())
                || header.getCriticalParams() != null
                || key.getAlgorithm() != null && !key.getAlgorithm().equals(header.getAlgorithm())) {
            return false;
        }
        var verifier = verifier(key);
        return verifier.supportedJWSAlgorithms().contains(header.getAlgorithm()) && token.verify(verifier);
    }

    private static JWSVerifier verifier(JWK key) throws JOSEException {
        return switch (key) {
            case ECKey curve -> {
                var verifier = new ECDSAVerifier(curve);
                verifier.getJCAContext().setProvider(CURVES);
                yield verifier;
            }
            case RSAKey rsa -> {
                int bits = rsa.size();
                if (bits < SMALLEST_RSA
                        || bits > LARGEST_RSA
                        || rsa.getPublicExponent().decodeToBigInteger().bitLength() > LARGEST_EXPONENT_BITS) {
                    throw new JOSEException("an RSA key of " + bits + " bits is not taken");
                }
                yield new RSASSAVerifier(rsa);
            }
            case OctetKeyPair pair when Curve.Ed25519.equals(pair.getCurve()) -> new Ed25519Verifier(pair);
            default -> throw new JOSEException("a key of this kind is not taken");
        };
    }
}
