package io.bivouac.sandboxmodel.egress;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a sandbox may reach: what a rule or a preset allows, and nothing else. Immutable.
 *
 * @param presets names without their {@code @}; what each stands for is the server's to say
 * @param ask whether a closed host is a question to the approvers who are there
 */
public record EgressPolicy(List<EgressRule> rules, List<String> presets, boolean ask) {
    public static final EgressPolicy NOTHING = new EgressPolicy(List.of());

    public static final int MOST_RULES = 64;

    /** What a preset begins with where it stands among hosts. */
    public static final String PRESET_SIGN = "@";

    /** The preset that stands for every public address. */
    public static final String PUBLIC = "public";

    public static final Pattern PRESET_NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    public EgressPolicy {
        rules = rules.stream().distinct().toList();
        presets = presets.stream().distinct().toList();
        if (rules.size() + presets.size() > MOST_RULES) {
            throw tooMany();
        }
    }

    /** One without presets, for whose closed hosts approvers are asked. */
    public EgressPolicy(List<EgressRule> rules) {
        this(rules, List.of(), true);
    }

    /** Fails with an {@link IllegalArgumentException} that says what is wrong. */
    public static EgressPolicy allowing(Collection<String> hosts) {
        if (hosts.size() > MOST_RULES) {
            throw tooMany();
        }
        if (hosts.stream().anyMatch(host -> host == null)) {
            throw new IllegalArgumentException("null is not a host");
        }
        return new EgressPolicy(
                hosts.stream()
                        .filter(host -> !host.startsWith(PRESET_SIGN))
                        .map(EgressRule::parse)
                        .toList(),
                hosts.stream()
                        .filter(host -> host.startsWith(PRESET_SIGN))
                        .map(EgressPolicy::presetName)
                        .toList(),
                true);
    }

    private static String presetName(String text) {
        var name = text.substring(PRESET_SIGN.length());
        if (!PRESET_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "after @ stands the name of a preset: small letters, digits and hyphens," + " 32 at most");
        }
        return name;
    }

    private static IllegalArgumentException tooMany() {
        return new IllegalArgumentException("at most " + MOST_RULES + " hosts can be allowed");
    }

    /** The same from a request: what is wrong with it is the caller's error. */
    public static EgressPolicy requested(Collection<String> hosts) {
        try {
            return allowing(hosts);
        } catch (IllegalArgumentException wrong) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "egress.allow: " + wrong.getMessage() + ".");
        }
    }

    /** By the rules alone. */
    public boolean allows(EgressTarget target) {
        return rules.stream().anyMatch(rule -> rule.allows(target));
    }

    /** How far this lets a program towards a target, with what the presets stand for now. */
    public Reach reach(EgressTarget target, Presets known) {
        if (allows(target)) {
            return Reach.LISTED;
        }
        boolean preset = presets.stream()
                .filter(name -> !name.equals(PUBLIC))
                .flatMap(name -> known.hostsOf(name).stream())
                .anyMatch(rule -> rule.allows(target));
        if (preset) {
            return Reach.LISTED;
        }
        return presets.contains(PUBLIC) ? Reach.IF_PUBLIC : Reach.CLOSED;
    }

    public EgressPolicy and(EgressPolicy more) {
        return new EgressPolicy(
                Stream.concat(rules.stream(), more.rules().stream()).toList(),
                Stream.concat(presets.stream(), more.presets().stream()).toList(),
                ask && more.ask());
    }

    public EgressPolicy asking(boolean whether) {
        return new EgressPolicy(rules, presets, whether);
    }

    /** For a person. */
    @Override
    public String toString() {
        var reached = rules.isEmpty() && presets.isEmpty() ? "nothing" : String.join(" ", hosts());
        return ask ? reached : reached + ", without asking";
    }

    /** The rules and presets as text, in their one spelling. */
    public List<String> hosts() {
        return Stream.concat(
                        rules.stream().map(EgressRule::toString),
                        presets.stream().map(name -> PRESET_SIGN + name))
                .toList();
    }
}
