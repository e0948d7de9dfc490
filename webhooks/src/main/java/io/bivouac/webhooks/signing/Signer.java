package io.bivouac.webhooks.signing;

import io.micronaut.core.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs what goes to one endpoint; while a secret is being replaced, with the old one as well. Thread-safe. */
public final class Signer {
    private static final String ALGORITHM = "HmacSHA256";

    private final Pair current;

    @Nullable private final Pair previous;

    private final Instant previousUntil;

    public Signer(SigningKeys current, @Nullable SigningKeys previous, @Nullable Instant previousUntil) {
        this.current = Pair.of(current);
        this.previous = previous == null ? null : Pair.of(previous);
        this.previousUntil = previousUntil == null ? Instant.MIN : previousUntil;
    }

    private record Pair(SecretKeySpec secret, @Nullable AsymmetricKey key) {
        static Pair of(SigningKeys keys) {
            return new Pair(
                    new SecretKeySpec(keys.secret(), ALGORITHM),
                    keys.seed() == null ? null : new AsymmetricKey(keys.seed()));
        }
    }

    /** The value of {@code webhook-signature}: one or more signatures, separated by spaces. */
    public String sign(String id, Instant at, byte[] body) {
        var content = content(id, at.getEpochSecond(), body);
        var signatures = new ArrayList<String>(2);
        add(signatures, current, content);
        if (previous != null && at.isBefore(previousUntil)) {
            add(signatures, previous, content);
        }
        return String.join(" ", signatures);
    }

    /** What receivers verify {@code v1a} with. */
    public Optional<String> publicKey() {
        return Optional.ofNullable(current.key()).map(AsymmetricKey::publicText);
    }

    private static void add(List<String> signatures, Pair keys, byte[] content) {
        var base64 = Base64.getEncoder();
        signatures.add("v1," + base64.encodeToString(authenticate(keys.secret(), content)));
        if (keys.key() != null) {
            signatures.add("v1a," + base64.encodeToString(keys.key().sign(content)));
        }
    }

    private static byte[] authenticate(SecretKeySpec secret, byte[] content) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            return mac.doFinal(content);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] content(String id, long seconds, byte[] body) {
        var head = (id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8);
        var content = new byte[head.length + body.length];
        System.arraycopy(head, 0, content, 0, head.length);
        System.arraycopy(body, 0, content, head.length, body.length);
        return content;
    }
}
