package io.bivouac.terminalrelay.acl;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How a rule narrows what it grants at a terminal ({@code udf:terminalPermissions}). It never adds anything, but for
 * secrets: those are had by being listed and in no other way.
 *
 * @param workdirs within which the session works; null for any
 * @param commands null for any
 * @param longest null for as long as is usual
 * @param isUnderstood whether all that it says is known here
 */
public record TerminalLimits(
        @Nullable Set<String> workdirs,
        Set<String> secrets,
        @Nullable Set<String> commands,
        @Nullable Duration longest,
        boolean isUnderstood) {
    /** With one of these, a program of an allowed name is another program, or does what another one says. */
    private static final Pattern TURNS_COMMANDS = Pattern.compile(
            "PATH|LD_.*|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|NODE_OPTIONS|PYTHON.*|PERL5.*|RUBY.*"
                    + "|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|GCONV_PATH|EDITOR|VISUAL|PAGER|GIT_.*");

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

    private Optional<String> objectionToCommand(TerminalAsk ask) {
        if (ask.command() == null) {
            return Optional.of("the rule allows only commands that it names");
        }
        if (!commands.contains(ask.command())) {
            return Optional.of("the rule does not allow the command " + ask.command());
        }
        return ask.variables().stream()
                .filter(name -> TURNS_COMMANDS.matcher(name).matches())
                .findFirst()
                .map(name -> "the rule names commands, so " + name + " may not be set");
    }
}
