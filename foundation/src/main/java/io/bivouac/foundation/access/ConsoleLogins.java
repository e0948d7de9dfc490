package io.bivouac.foundation.access;

import io.bivouac.foundation.settings.InstallationKeys;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Logins of browsers. A console login is a signed text that names a key and an end, so nothing is stored and any process
 * can check one; it ends with its time, or when its key is revoked. Thread-safe.
 */
@Singleton
public class ConsoleLogins {
    public static final Duration VALID_FOR = Duration.ofHours(12);

    private static final String ALGORITHM = "HmacSHA256";
    private static final int LONGEST = 256;

    private final SecretKeySpec secret;
    private final ApiKeys keys;
    private final Clock clock;

    ConsoleLogins(InstallationKeys installation, ApiKeys keys, Clock clock) {
        this.secret = new SecretKeySpec(Base64.getDecoder().decode(installation.token()), ALGORITHM);
        this.keys = keys;
        this.clock = clock;
    }

    /** Who is logged in, and until when. */
    public record ConsoleLogin(Caller caller, Instant expiresAt) {}

    /** The text of a console login, which only its browser has. */
    public record Opened(String text, Instant expiresAt) {}

    public Opened open(Caller caller) {
        var end = Instant.ofEpochSecond(clock.instant().plus(VALID_FOR).getEpochSecond());
        var claim = caller.id() + "." + end.getEpochSecond();
        return new Opened(claim + "." + signature(claim), end);
    }

    public Optional<ConsoleLogin> check(String text) {
        int dot = text.lastIndexOf('.');
        if (text.length() > LONGEST || dot < 0) {
            return Optional.empty();
        }
        var claim = text.substring(0, dot);
        var expected = signature(claim).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(expected, text.substring(dot + 1).getBytes(StandardCharsets.UTF_8))) {
            return Optional.empty();
        }
        // Signed by us, so it has the shape that we gave it.
        int middle = claim.lastIndexOf('.');
        var end = Instant.ofEpochSecond(Long.parseLong(claim.substring(middle + 1)));
        if (!end.isAfter(clock.instant())) {
            return Optional.empty();
        }
        return keys.holder(claim.substring(0, middle)).map(caller -> new ConsoleLogin(caller, end));
    }

    private String signature(String claim) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            var bytes = mac.doFinal(("session/" + claim).getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
