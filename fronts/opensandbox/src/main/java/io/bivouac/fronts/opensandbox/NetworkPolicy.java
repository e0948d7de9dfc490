package io.bivouac.fronts.opensandbox;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The hosts that a sandbox may reach, as OpenSandbox has them.
 *
 * @param defaultAction what holds for a host that no rule names
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record NetworkPolicy(
        @Nullable String defaultAction, @Nullable List<Rule> egress) {
    private static final String ALLOW = "allow";
    private static final String DENY = "deny";
    private static final String PUBLIC = EgressPolicy.PRESET_SIGN + EgressPolicy.PUBLIC;

    /** Their rules name no port, and stand for these two. */
    private static final List<String> PORTS = List.of(":443", ":80");

    /** @param target a host, or a pattern such as *.example.org */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Rule(@Nullable String action, @Nullable String target) {
        boolean allows() {
            return switch (action) {
                case ALLOW -> true;
                case DENY -> false;
                case null, default ->
                    throw BivouacException.invalidRequest("An egress rule's action must be allow or deny.");
            };
        }
    }

    public static NetworkPolicy of(EgressPolicy policy) {
        var hosts = policy.hosts();
        var rules = hosts.stream()
                .filter(host -> !host.equals(PUBLIC))
                .map(NetworkPolicy::withoutPort)
                .distinct()
                .map(target -> new Rule(ALLOW, target))
                .toList();
        return new NetworkPolicy(hosts.contains(PUBLIC) ? ALLOW : DENY, rules);
    }

    private static String withoutPort(String host) {
        return PORTS.stream()
                .filter(host::endsWith)
                .findFirst()
                .map(port -> host.substring(0, host.length() - port.length()))
                .orElse(host);
    }

    public EgressPolicy policy() {
        boolean open = ALLOW.equals(defaultAction);
        if (!open && defaultAction != null && !DENY.equals(defaultAction)) {
            throw BivouacException.invalidRequest("defaultAction must be allow or deny.");
        }
        var hosts = new LinkedHashSet<String>();
        if (open) {
            hosts.add(PUBLIC);
        }
        changed(hosts, egress == null ? List.of() : egress, open);
        return EgressPolicy.requested(hosts);
    }

    /** The same with further rules, which win over those that are there. */
    public static EgressPolicy merged(EgressPolicy policy, List<Rule> rules) {
        var hosts = new LinkedHashSet<>(policy.hosts());
        changed(hosts, rules, hosts.contains(PUBLIC));
        return EgressPolicy.requested(hosts).asking(policy.ask());
    }

    public static EgressPolicy without(EgressPolicy policy, List<String> targets) {
        var hosts = new LinkedHashSet<>(policy.hosts());
        targets.forEach(target -> remove(hosts, target));
        return EgressPolicy.requested(hosts).asking(policy.ask());
    }

    private static void changed(LinkedHashSet<String> hosts, List<Rule> rules, boolean open) {
        for (var rule : rules) {
            if (rule.target() == null || rule.target().isBlank()) {
                throw BivouacException.invalidRequest("An egress rule has no target.");
            }
            if (rule.allows()) {
                if (hasPort(rule.target())) {
                    hosts.add(rule.target());
                } else {
                    PORTS.forEach(port -> hosts.add(rule.target() + port));
                }
            } else if (open) {
                throw BivouacException.invalidRequest(
                        "A rule can deny no single host where every host is allowed; name those that are allowed.");
            } else {
                remove(hosts, rule.target());
            }
        }
    }

    private static void remove(LinkedHashSet<String> hosts, String target) {
        hosts.remove(target);
        // A rule for the port of HTTPS may be spelled without it.
        PORTS.forEach(port -> hosts.remove(target + port));
    }

    private static boolean hasPort(String target) {
        return target.startsWith(EgressPolicy.PRESET_SIGN) || target.matches(".*:\\d+");
    }
}
