package io.bivouac.foundation.access;

import java.util.Optional;

/** Whoever can tell who a bearer token stands for, beside API keys: issuers of JWTs, say. Thread-safe. */
public interface BearerTokens {
    /** Nothing when it is not a token of this kind; a refusal when it is one and not valid. */
    Optional<Caller> authenticate(String token);
}
