package io.bivouac.sessions.pod;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sessions.acl.Acl;
import io.bivouac.sessions.acl.Mode;
import io.bivouac.sessions.acl.Requester;
import io.bivouac.sessions.acl.Rule;
import io.bivouac.sessions.acl.TerminalAsk;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides about terminals. Rules are asked one by one: one of them must grant the whole of what is wanted, so that
 * the workdir of one and the secret of another do not add up. Thread-safe.
 */
@Singleton
public class PodTerminalRules {
    private final PodAccess access;

    PodTerminalRules(PodAccess access) {
        this.access = access;
    }

    /** Refuses with 403 what no rule grants. */
    public Grant mustGrant(Pod pod, TerminalAsk ask, Requester requester) throws PodUnreadable {
        var rules = Acl.granting(access.rules(pod, Pod.TERMINAL, requester), Mode.WRITE);
        if (rules.isEmpty()) {
            throw forbidden("The Pod's ACL gives " + requester.visitor().webId() + " no terminal.");
        }
        var admitting =
                rules.stream().filter(rule -> rule.objection(ask).isEmpty()).toList();
        if (admitting.isEmpty()) {
            var objection = rules.getFirst().objection(ask).orElseThrow();
            throw forbidden("The Pod's ACL does not allow this terminal: " + objection + ".");
        }
        if (!Mode.isAmong(access.modes(pod, ask.workdir(), requester), Mode.READ)) {
            throw forbidden(
                    "The Pod's ACL does not let " + requester.visitor().webId() + " read " + ask.workdir() + ".");
        }
        boolean byCommand = admitting.stream().allMatch(Rule::namesCommands);
        return new Grant(pod, requester, ask, within(admitting), longest(admitting), byCommand);
    }

    /** Whether one rule grants the same session with this secret too. */
    public boolean grantsAlso(Pod pod, TerminalAsk ask, String secret, Requester requester) throws PodUnreadable {
        return Acl.granting(access.rules(pod, Pod.TERMINAL, requester), Mode.WRITE).stream()
                .anyMatch(rule -> rule.objection(ask.with(secret)).isEmpty());
    }

    /** Wherever one of them would admit the same session; null when that is everywhere. */
    private static @Nullable Set<String> within(List<Rule> admitting) {
        var containers = new HashSet<String>();
        for (var rule : admitting) {
            var confined = rule.workdirs();
            if (confined.isEmpty()) {
                return null;
            }
            containers.addAll(confined.get());
        }
        return containers;
    }

    /** Whether a rule that grants the terminal also lets its programs do this without asking a person. */
    boolean preAuthorizes(Pod pod, TerminalAsk ask, Requester requester, String action, String resource)
            throws PodUnreadable {
        return Acl.granting(access.rules(pod, Pod.TERMINAL, requester), Mode.WRITE).stream()
                .anyMatch(rule -> rule.objection(ask).isEmpty() && rule.preAuthorizes(action, resource));
    }

    /** By the most generous of them; null when one sets no bound. */
    private static @Nullable Duration longest(List<Rule> admitting) {
        return admitting.stream().anyMatch(rule -> rule.longest().isEmpty())
                ? null
                : admitting.stream()
                        .map(rule -> rule.longest().orElseThrow())
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
    }

    private static BivouacException forbidden(String why) {
        return new BivouacException(ErrorCode.FORBIDDEN, why);
    }
}
