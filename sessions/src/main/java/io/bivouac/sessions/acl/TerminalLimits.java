package io.bivouac.sessions.acl;

import io.bivouac.sessions.launch.PlainVariables;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * How a rule narrows what it grants at a terminal ({@code udf:terminalPermissions}). It never adds anything, but for
 * secrets: those are had by being listed and in no other way.
 *
 * @param workdirs within which the session works; null for any
 * @param commands null for any
 * @param longest null for as long as is usual
 * @param preAuthorized what programs in it need not ask a person for
 * @param isUnderstood whether all that it says is known here
 */
public record TerminalLimits(
        @Nullable Set<String> workdirs,
        Set<String> secrets,
        @Nullable Set<String> commands,
        @Nullable Duration longest,
        Set<PreAuthorization> preAuthorized,
        boolean isUnderstood) {
    /** Why this does not admit it; empty when it does. */
    Optional<String> objection(TerminalAsk ask) {
        if (!isUnderstood) {
            return Optional.of("the rule has limits that are not understood here");
        }
        if (workdirs != null && workdirs.stream().noneMatch(ask.workdir()::startsWith)) {
            return Optional.of("the rule does not allow the workdir " + ask.workdir());
        }
        if (commands != null) {
            var objection = objectionToCommand(ask);
            if (objection.isPresent()) {
                return objection;
            }
        }
        if (longest != null && ask.life() != null && ask.life().compareTo(longest) > 0) {
            return Optional.of("the rule allows at most " + longest.toSeconds() + " s");
        }
        return Optional.empty();
    }

    boolean preAuthorizes(String action, String resource) {
        return isUnderstood && preAuthorized.stream().anyMatch(one -> one.covers(action, resource));
    }

    private Optional<String> objectionToCommand(TerminalAsk ask) {
        if (ask.command() == null) {
            return Optional.of("the rule allows only commands that it names");
        }
        if (!commands.contains(ask.command())) {
            return Optional.of("the rule does not allow the command " + ask.command());
        }
        return ask.variables().stream()
                .filter(name -> !PlainVariables.include(name))
                .findFirst()
                .map(name -> "the rule names commands, so " + name + " may not be set");
    }
}
