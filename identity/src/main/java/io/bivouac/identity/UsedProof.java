package io.bivouac.identity;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/** A proof that was shown. */
@MappedEntity("used_proofs")
record UsedProof(@Id byte[] hash, Instant expiresAt) {}
