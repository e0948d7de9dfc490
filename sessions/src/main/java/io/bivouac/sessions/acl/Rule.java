package io.bivouac.sessions.acl;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One authorization of an ACL.
 *
 * @param accessTo the resources that it is about
 * @param defaults the containers whose members it is about, where they have no ACL of their own
 */
public record Rule(
        Subjects subjects,
        Set<String> accessTo,
        Set<String> defaults,
        Set<Mode> modes,
        Set<String> origins,
        List<Condition> conditions,
        List<TerminalLimits> limits) {

    /**
     * Whom it is about.
     *
     * @param everyone also those who did not log in
     * @param authenticated all who did
     */
    public record Subjects(Set<String> agents, Set<String> groups, boolean everyone, boolean authenticated) {}

    /** @param isMember whether the requester is in a group */
    boolean appliesTo(Requester requester, Predicate<String> isMember) {
        return originFits(requester)
                && conditions.stream().allMatch(condition -> condition.holdsFor(requester))
                && isAbout(requester, isMember);
    }

    private boolean isAbout(Requester requester, Predicate<String> isMember) {
        return subjects.everyone()
                || subjects.authenticated()
                || subjects.agents().contains(requester.visitor().webId())
                || subjects.groups().stream().anyMatch(isMember);
    }

    /**
     * A rule that names pages is about those pages. One that names none is about programs, about pages that the
     * operator trusts, and about any page only when it is about everyone.
     */
    private boolean originFits(Requester requester) {
        if (!origins.isEmpty()) {
            return requester.origin() != null && origins.contains(requester.origin());
        }
        return requester.origin() == null || requester.trustedOrigin() || subjects.everyone();
    }

    boolean isAboutAnybody() {
        return subjects.everyone()
                || subjects.authenticated()
                || !subjects.agents().isEmpty()
                || !subjects.groups().isEmpty();
    }

    boolean grants(Mode mode) {
        return Mode.isAmong(modes, mode);
    }

    /** Why this rule alone does not admit the terminal; empty when it does. */
    public Optional<String> objection(TerminalAsk ask) {
        for (var limit : limits) {
            var objection = limit.objection(ask);
            if (objection.isPresent()) {
                return objection;
            }
        }
        return ask.secrets().stream()
                .filter(secret -> !listsSecret(secret))
                .findFirst()
                .map(secret -> "the rule does not list the secret " + secret);
    }

    private boolean listsSecret(String secret) {
        return !limits.isEmpty()
                && limits.stream().allMatch(limit -> limit.secrets().contains(secret));
    }

    /** Whether a program in a terminal of this rule need not ask a person for it. */
    public boolean preAuthorizes(String action, String resource) {
        return !limits.isEmpty() && limits.stream().allMatch(limit -> limit.preAuthorizes(action, resource));
    }

    /** The containers that a session by this rule is confined to; empty where it is not. */
    public Optional<Set<String>> workdirs() {
        return limits.stream()
                .map(TerminalLimits::workdirs)
                .filter(Objects::nonNull)
                .reduce(Rule::inBoth);
    }

    private static Set<String> inBoth(Set<String> some, Set<String> others) {
        var narrower = new HashSet<String>();
        some.stream().filter(one -> others.stream().anyMatch(one::startsWith)).forEach(narrower::add);
        others.stream()
                .filter(other -> some.stream().anyMatch(other::startsWith))
                .forEach(narrower::add);
        return narrower;
    }

    /** Whether it lets sessions start only commands that it names. */
    public boolean namesCommands() {
        return limits.stream().anyMatch(limit -> limit.commands() != null);
    }

    /** How long a session may last by this rule, when it says. */
    public Optional<Duration> longest() {
        return limits.stream()
                .map(TerminalLimits::longest)
                .filter(Objects::nonNull)
                .min(Duration::compareTo);
    }
}
