package io.bivouac.sandboxmodel.egress;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** What a sandbox may reach: what one of the rules allows, and nothing else. Immutable. */
public record EgressPolicy(List<EgressRule> rules) {
    public static final EgressPolicy NOTHING = new EgressPolicy(List.of());

    public static final int MOST_RULES = 64;

    public EgressPolicy {
        rules = rules.stream().distinct().toList();
        if (rules.size() > MOST_RULES) {
            throw new IllegalArgumentException("at most " + MOST_RULES + " hosts can be allowed");
        }
    }

    /** Fails with an {@link IllegalArgumentException} that says what is wrong. */
    public static EgressPolicy allowing(Collection<String> hosts) {
        if (hosts.size() > MOST_RULES) {
            throw new IllegalArgumentException("at most " + MOST_RULES + " hosts can be allowed");
        }
        if (hosts.stream().anyMatch(host -> host == null)) {
            throw new IllegalArgumentException("null is not a host");
        }
        return new EgressPolicy(hosts.stream().map(EgressRule::parse).toList());
    }

    /** The same from a request: what is wrong with it is the caller's error. */
    public static EgressPolicy requested(Collection<String> hosts) {
        try {
            return allowing(hosts);
        } catch (IllegalArgumentException wrong) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "egress.allow: " + wrong.getMessage() + ".");
        }
    }

    public boolean allows(EgressTarget target) {
        return rules.stream().anyMatch(rule -> rule.allows(target));
    }

    public EgressPolicy and(EgressPolicy more) {
        return new EgressPolicy(
                Stream.concat(rules.stream(), more.rules().stream()).toList());
    }

    /** For a person. */
    @Override
    public String toString() {
        return rules.isEmpty() ? "nothing" : String.join(" ", hosts());
    }

    /** The rules as text, in their one spelling. */
    public List<String> hosts() {
        return rules.stream().map(EgressRule::toString).toList();
    }
}
