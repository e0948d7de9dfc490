package io.bivouac.identity;

import io.bivouac.sandboxmodel.Sha256;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** Remembers proofs for as long as they could be shown again, at any relay (RFC 9449 §11.1). Thread-safe. */
@Singleton
class UsedProofs {
    /** Twice what a proof is good for: relays' clocks may differ. */
    private static final Duration REMEMBERED =
            DpopProof.OLDEST.plus(DpopProof.MOST_AHEAD).multipliedBy(2);

    private static final Duration PURGE_EVERY = Duration.ofMinutes(1);

    private final UsedProofRows rows;
    private final Clock clock;
    private final AtomicReference<Instant> purged = new AtomicReference<>(Instant.EPOCH);

    UsedProofs(UsedProofRows rows, Clock clock) {
        this.rows = rows;
        this.clock = clock;
    }

    /** Only for a proof that is right in every other way: nobody else gets to fill the table. */
    void use(DpopProof proof) {
        var now = clock.instant();
        if (rows.use(hash(proof), now.plus(REMEMBERED)) == 0) {
            throw Refused.proof("it was used before");
        }
        var last = purged.get();
        if (Duration.between(last, now).compareTo(PURGE_EVERY) > 0 && purged.compareAndSet(last, now)) {
            rows.purge(now);
        }
    }

    /** Of a length that the sender does not choose. */
    private static byte[] hash(DpopProof proof) {
        return Sha256.of(proof.thumbprint() + ' ' + proof.id());
    }
}
