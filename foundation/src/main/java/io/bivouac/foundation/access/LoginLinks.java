package io.bivouac.foundation.access;

import io.bivouac.sandboxmodel.Sha256;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Codes that log a browser in once, for whoever reads the server's first lines. They are kept in memory, as hashes: a
 * code works at the process that gave it out. Thread-safe.
 */
@Singleton
public class LoginLinks {
    public static final Duration VALID_FOR = Duration.ofHours(1);

    /** The oldest goes. */
    static final int MOST = 16;

    private static final int BYTES = 24;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ApiKeys keys;
    private final Clock clock;
    private final Map<ByteBuffer, Waiting> waiting = new LinkedHashMap<>();

    private record Waiting(String keyId, Instant until) {}

    LoginLinks(ApiKeys keys, Clock clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /** A code for the holder of a key; empty when the key does not work. */
    public Optional<String> issue(String key) {
        return keys.authenticate(new KeyText(key)).map(this::issue);
    }

    private synchronized String issue(Caller holder) {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        var code = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        if (waiting.size() >= MOST) {
            waiting.remove(waiting.keySet().iterator().next());
        }
        waiting.put(hash(code), new Waiting(holder.id(), clock.instant().plus(VALID_FOR)));
        return code;
    }

    /** Whom the code stands for; the same code gives nobody from then on. */
    public Optional<Caller> use(String code) {
        Waiting found;
        synchronized (this) {
            found = waiting.remove(hash(code));
        }
        return Optional.ofNullable(found)
                .filter(known -> known.until().isAfter(clock.instant()))
                .flatMap(known -> keys.holder(known.keyId()));
    }

    private static ByteBuffer hash(String code) {
        return ByteBuffer.wrap(Sha256.of(code));
    }
}
