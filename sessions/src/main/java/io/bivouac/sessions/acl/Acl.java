package io.bivouac.sessions.acl;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The ACL that decides about a resource.
 *
 * @param owner the resource whose ACL it is: the one in question, or the nearest container that has one
 */
public record Acl(String owner, List<Rule> rules) {
    /** The rules about this resource that apply to the requester. */
    public List<Rule> rulesFor(String resource, Requester requester, Predicate<String> isMember) {
        boolean inherited = !resource.equals(owner);
        return rules.stream()
                .filter(rule -> inherited
                        ? rule.defaults().contains(owner)
                        : rule.accessTo().contains(resource))
                .filter(rule -> rule.appliesTo(requester, isMember))
                .toList();
    }

    /** Whether it gives anybody this mode on the resource. */
    public boolean grantsAnybody(String resource, Mode mode) {
        boolean inherited = !resource.equals(owner);
        return rules.stream()
                .filter(rule -> inherited
                        ? rule.defaults().contains(owner)
                        : rule.accessTo().contains(resource))
                .anyMatch(rule -> rule.grants(mode) && rule.isAboutAnybody());
    }

    /** Those about what is in its owner, a container, and has no ACL of its own. */
    public List<Rule> rulesBelow(Requester requester, Predicate<String> isMember) {
        return rules.stream()
                .filter(rule -> rule.defaults().contains(owner))
                .filter(rule -> rule.appliesTo(requester, isMember))
                .toList();
    }

    /** Everything that these rules grant together. */
    public static Set<Mode> modesOf(List<Rule> rules) {
        var modes = EnumSet.noneOf(Mode.class);
        rules.forEach(rule -> modes.addAll(rule.modes()));
        return modes;
    }

    /** Those that grant a mode. */
    public static List<Rule> granting(List<Rule> rules, Mode mode) {
        return rules.stream().filter(rule -> rule.grants(mode)).toList();
    }
}
