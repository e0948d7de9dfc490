package io.bivouac.sessions.launch;

import io.bivouac.sandboxio.text.ShownText;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules by which sessions start programs, and the commands that they may start at all. Immutable. */
public final class LaunchRules {
    private static final int SHOWN = 80;

    private final Map<String, LaunchRule> byName = new LinkedHashMap<>();
    private final List<String> allowed;

    /**
     * @param rules of two with one name the later counts
     * @param allowed the only commands that sessions may start; empty for any
     */
    LaunchRules(Collection<LaunchRule> rules, List<String> allowed) {
        rules.forEach(rule -> byName.put(rule.name(), rule));
        this.allowed = List.copyOf(allowed);
    }

    /** The rule that it is started by; nothing for a command that is no trusted program. Refuses with 403. */
    public Optional<LaunchRule> admit(LaunchAsk ask) {
        var command = ask.command();
        if (!allowed.isEmpty() && (command == null || !allowed.contains(command))) {
            throw forbidden("Sessions of this server start " + String.join(", ", allowed) + " and nothing else.");
        }
        if (command == null) {
            return Optional.empty();
        }
        var rule = ruleFor(command);
        if (rule.isEmpty()) {
            mustBeNoNamesake(command);
        }
        rule.map(one -> one.objection(ask))
                // Without a rule, a command that is allowed by its name must at least be that command.
                .orElseGet(
                        () -> allowed.isEmpty() ? Optional.empty() : PlainVariables.POLICY.objection(ask.variables()))
                .ifPresent(objection -> {
                    throw refused(command, objection);
                });
        return rule;
    }

    private Optional<LaunchRule> ruleFor(String command) {
        return byName.values().stream().filter(one -> one.isAbout(command)).findFirst();
    }

    /** Whether a rule says what this command may be started with. */
    public boolean haveOneFor(@Nullable String command) {
        return command != null && ruleFor(command).isPresent();
    }

    /**
     * Whether a Pod may preset the variable for this command, since it makes it no other.
     *
     * @param byName whether the command is started because its name is on a list
     */
    public boolean letPreset(String variable, @Nullable String command, boolean byName) {
        var rule = command == null ? Optional.<LaunchRule>empty() : ruleFor(command);
        return rule.map(one -> one.environment().allows(variable))
                .orElse(!byName && allowed.isEmpty() || PlainVariables.include(variable));
    }

    private void mustBeNoNamesake(String command) {
        byName.values().stream()
                .filter(rule -> rule.isNamesake(command))
                .findFirst()
                .ifPresent(rule -> {
                    throw refused(command, "it is not the trusted program of that name; ask for " + rule.name());
                });
    }

    private static BivouacException refused(String command, String why) {
        return forbidden("The launch of " + ShownText.of(command, SHOWN) + " is refused: " + why + ".");
    }

    private static BivouacException forbidden(String why) {
        return new BivouacException(ErrorCode.FORBIDDEN, why);
    }
}
