package io.bivouac.webhooks.signing;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;

/** An Ed25519 key, grown from its seed. Thread-safe. */
final class AsymmetricKey {
    static final int SEED_BYTES = 32;
    private static final String PUBLIC_PREFIX = "whpk_";
    private static final int SIGN_OF_X = 0x80;

    private final byte[] seed;
    private final PrivateKey key;

    AsymmetricKey(byte[] seed) {
        this.seed = seed.clone();
        try {
            key = KeyFactory.getInstance("Ed25519")
                    .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    byte[] sign(byte[] content) {
        try {
            var signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(content);
            return signature.sign();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** {@code whpk_…}: 32 bytes, y in little-endian order with the sign of x in its top bit (RFC 8032 §5.1.2). */
    String publicText() {
        try {
            var generator = KeyPairGenerator.getInstance("Ed25519");
            generator.initialize(NamedParameterSpec.ED25519, new Fixed(seed));
            var point = ((EdECPublicKey) generator.generateKeyPair().getPublic()).getPoint();
            var bytes = new byte[SEED_BYTES];
            var y = point.getY().toByteArray();
            for (int i = 0; i < Math.min(y.length, bytes.length); i++) {
                bytes[i] = y[y.length - 1 - i];
            }
            if (point.isXOdd()) {
                bytes[SEED_BYTES - 1] |= (byte) SIGN_OF_X;
            }
            return PUBLIC_PREFIX + Base64.getEncoder().encodeToString(bytes);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The JDK derives a public key only while generating a pair, from the random bytes it asks for. */
    private static final class Fixed extends SecureRandom {
        private final byte[] bytes;

        Fixed(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        @Override
        public void nextBytes(byte[] into) {
            System.arraycopy(bytes, 0, into, 0, Math.min(bytes.length, into.length));
            if (into.length > bytes.length) {
                Arrays.fill(into, bytes.length, into.length, (byte) 0);
            }
        }
    }
}
