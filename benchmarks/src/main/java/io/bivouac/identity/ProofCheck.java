package io.bivouac.identity;

import io.bivouac.foundation.access.BoundToken;
import java.time.Instant;

/** Beside the classes that it measures, which nobody else is to call. */
public final class ProofCheck {
    private ProofCheck() {}

    /** All that a login checks when the token was seen before, short of writing down that the proof is used. */
    public static void run(BoundToken presented) {
        var now = Instant.now();
        var proof = DpopProof.check(presented, now, true);
        var token = SolidToken.read(presented.token(), now);
        if (!token.thumbprint().equals(proof.thumbprint())) {
            throw new IllegalStateException("the proof's key is not the token's");
        }
    }
}
