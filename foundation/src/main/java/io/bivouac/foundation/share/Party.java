package io.bivouac.foundation.share;

import io.bivouac.foundation.access.Caller;

/**
 * On whose account a place is taken.
 *
 * @param project whose share it comes from; for strangers whatever many of them have in common
 * @param caller who of that project: a key's id, a sandbox's, a host's name
 */
public record Party(String project, String caller) {
    public static Party of(Caller caller) {
        return new Party(caller.project(), caller.id());
    }
}
