package io.bivouac.sessions.acl;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The terminal that somebody wants.
 *
 * @param command null for a shell
 * @param workdir from the Pod's root, with a slash at both ends
 * @param secrets from the Pod's root
 * @param variables the names that are set in its environment, as far as no launch rule judges them
 * @param life null for as long as is usual
 */
public record TerminalAsk(
        @Nullable String command,
        String workdir,
        Set<String> secrets,
        Set<String> variables,
        @Nullable Duration life) {
    /** The same with one more secret. */
    public TerminalAsk with(String secret) {
        var more = new HashSet<>(secrets);
        more.add(secret);
        return new TerminalAsk(command, workdir, more, variables, life);
    }
}
