package io.bivouac.webhooks.signing;

import io.micronaut.core.annotation.Nullable;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * What one endpoint's deliveries are signed with.
 *
 * @param secret shared with the receiver, for {@code v1}
 * @param seed of an Ed25519 key whose public half the receiver has, for {@code v1a}; null unless asked for
 */
public record SigningKeys(byte[] secret, @Nullable byte[] seed) {
    private static final String SECRET_PREFIX = "whsec_";
    private static final String SEED_PREFIX = "whsk_";
    private static final int SECRET_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    public static SigningKeys fresh(boolean asymmetric) {
        return new SigningKeys(random(SECRET_BYTES), asymmetric ? random(AsymmetricKey.SEED_BYTES) : null);
    }

    public SigningKeys withFreshSeed() {
        return new SigningKeys(secret, random(AsymmetricKey.SEED_BYTES));
    }

    public SigningKeys withoutSeed() {
        return new SigningKeys(secret, null);
    }

    /** As the receiver's library takes it. */
    public String secretText() {
        return SECRET_PREFIX + Base64.getEncoder().encodeToString(secret);
    }

    /** Both in one line, for the encrypted column. */
    public String stored() {
        return seed == null
                ? secretText()
                : secretText() + " " + SEED_PREFIX + Base64.getEncoder().encodeToString(seed);
    }

    public static SigningKeys parse(String stored) {
        var parts = stored.split(" ", 2);
        return new SigningKeys(
                decoded(parts[0], SECRET_PREFIX), parts.length == 1 ? null : decoded(parts[1], SEED_PREFIX));
    }

    private static byte[] decoded(String text, String prefix) {
        if (!text.startsWith(prefix)) {
            throw new IllegalArgumentException("a key that does not begin with " + prefix);
        }
        return Base64.getDecoder().decode(text.substring(prefix.length()));
    }

    private static byte[] random(int length) {
        var bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    @Override
    public String toString() {
        return "SigningKeys[…]";
    }
}
