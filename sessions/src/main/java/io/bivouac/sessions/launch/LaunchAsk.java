package io.bivouac.sessions.launch;

import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.Set;

/**
 * What somebody wants to start.
 *
 * @param command null for a shell
 * @param variables the names that they set themselves
 * @param preset the names that were set for them: by the Pod that the session is for
 */
public record LaunchAsk(@Nullable String command, List<String> arguments, Set<String> variables, Set<String> preset) {}
