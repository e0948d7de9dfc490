package io.bivouac.terminalrelay.sealed;

import io.bivouac.sandboxmodel.Sha256;
import io.micronaut.core.annotation.Nullable;
import java.util.Base64;

/** The key of the agent that a sealed terminal's clients speak to, as people see it. */
public final class HostKey {
    private static final int LENGTH = 32;

    private HostKey() {}

    /** As text, or null when these are not a key's bytes. */
    public static @Nullable String text(byte[] key) {
        return key.length == LENGTH ? Base64.getEncoder().encodeToString(key) : null;
    }

    /** Short enough to be compared by eye, in the form that people know from SSH. */
    public static @Nullable String fingerprint(@Nullable String text) {
        if (text == null) {
            return null;
        }
        var digest = Sha256.of(Base64.getDecoder().decode(text));
        return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
    }
}
