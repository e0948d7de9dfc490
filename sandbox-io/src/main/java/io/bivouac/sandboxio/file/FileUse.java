package io.bivouac.sandboxio.file;

import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;

/**
 * Who does something with which sandbox's files.
 *
 * @param user whose permissions count in the sandbox; null for its ordinary user
 */
public record FileUse(
        String sandbox, Caller caller, @Nullable String user) {
    private static final int LONGEST_USER = 128;

    public FileUse {
        if (user != null && (user.isBlank() || user.length() > LONGEST_USER)) {
            throw FileRequests.invalid("user must be a name or uid[:gid] of at most " + LONGEST_USER + " characters.");
        }
    }
}
