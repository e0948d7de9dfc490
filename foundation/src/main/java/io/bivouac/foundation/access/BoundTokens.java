package io.bivouac.foundation.access;

/** Whoever can tell who a bound token stands for. Thread-safe. */
public interface BoundTokens {
    /** The signatures that proofs may have, as a challenge spells them. */
    String ALGORITHMS = "ES256 ES384 ES512 PS256 RS256 Ed25519 EdDSA";

    /** The detail of a refusal that tells which of the two was wrong, in RFC 9449's words. */
    String ERROR = "error";

    /** Refuses what is not valid. */
    Caller authenticate(BoundToken presented);
}
