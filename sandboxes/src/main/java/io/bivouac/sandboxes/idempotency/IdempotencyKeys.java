package io.bivouac.sandboxes.idempotency;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Remembers which create a key stood for. Thread-safe. */
@Singleton
public class IdempotencyKeys {
    public static final Duration REMEMBERED_FOR = Duration.ofHours(24);
    public static final int LONGEST = 255;

    private final IdempotencyRows rows;
    private final Clock clock;

    IdempotencyKeys(IdempotencyRows rows, Clock clock) {
        this.rows = rows;
        this.clock = clock;
    }

    /**
     * Takes a key for a new sandbox, inside the transaction that makes it. If it is taken: what was made under
     * it, or a refusal when that was another request.
     */
    public Optional<IdempotencyKey> claim(String project, String key, byte[] requestHash, SandboxId sandbox) {
        var now = clock.instant();
        if (rows.claim(project, key, requestHash, sandbox.value(), now, now.minus(REMEMBERED_FOR)) > 0) {
            return Optional.empty();
        }
        return find(project, key, requestHash);
    }

    public Optional<IdempotencyKey> find(String project, String key, byte[] requestHash) {
        var taken = rows.find(project, key)
                .filter(found -> found.createdAt().isAfter(clock.instant().minus(REMEMBERED_FOR)));
        taken.ifPresent(found -> {
            if (!MessageDigest.isEqual(found.requestHash(), requestHash)) {
                throw new BivouacException(
                        ErrorCode.CONFLICT, "This Idempotency-Key was used for a different request.");
            }
        });
        return taken;
    }

    /** Keeps the answer, so that a replay gives the same. */
    public void answer(String project, String key, String response) {
        rows.answer(project, key, response);
    }

    /** Forgets what is older than a day. */
    public int purge() {
        return rows.purge(clock.instant().minus(REMEMBERED_FOR));
    }
}
