package io.bivouac.identity;

import io.bivouac.foundation.access.BoundToken;
import java.time.Instant;

/**
 * A token with its proof: both read and checked by themselves, and made for one another. Whether the token's issuer
 * vouches for it, and whether the proof was used before, is not known yet. Immutable.
 */
public final class PresentedToken {
    private final DpopProof proof;
    private final SolidToken token;

    private PresentedToken(DpopProof proof, SolidToken token) {
        this.proof = proof;
        this.token = token;
    }

    /** @param needsHash whether a proof that does not say for which token it is made is refused */
    public static PresentedToken check(BoundToken presented, Instant now, boolean needsHash) {
        var proof = DpopProof.check(presented, now, needsHash);
        var token = SolidToken.read(presented.token(), now);
        if (!token.thumbprint().equals(proof.thumbprint())) {
            throw Refused.proof("its key is not the one that the token is bound to");
        }
        return new PresentedToken(proof, token);
    }

    DpopProof proof() {
        return proof;
    }

    SolidToken token() {
        return token;
    }
}
