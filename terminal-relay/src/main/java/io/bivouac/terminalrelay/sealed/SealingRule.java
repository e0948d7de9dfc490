package io.bivouac.terminalrelay.sealed;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;

/** Refuses clear terminals where all must be sealed. Thread-safe. */
@Singleton
public class SealingRule {
    private final boolean required;

    SealingRule(@Value("${bivouac.terminal.require-e2e-encryption:false}") boolean required) {
        this.required = required;
    }

    public void check(@Nullable Sealing sealing) {
        if (required && sealing == null) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN,
                    "This server takes only terminals that are encrypted end to end; make one with sealed or publicKey.");
        }
    }
}
