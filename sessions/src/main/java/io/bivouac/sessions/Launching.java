package io.bivouac.sessions;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Refusals;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxio.text.ShownText;
import io.bivouac.sandboxmodel.Definition;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sessions.launch.LaunchRule;
import io.bivouac.sessions.launch.LaunchRules;
import io.bivouac.sessions.launch.TurningVariables;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.stream.Collectors;

/** Holds sessions to the launch rules, whoever opens them, before anything is made. Thread-safe. */
@Singleton
class Launching {
    private static final int SHOWN = 200;

    private final LaunchRules rules;
    private final Templates templates;
    private final SandboxStore store;
    private final Refusals refusals;

    Launching(LaunchRules rules, Templates templates, SandboxStore store, Refusals refusals) {
        this.rules = rules;
        this.templates = templates;
        this.store = store;
        this.refusals = refusals;
    }

    /**
     * The rule by which a trusted program is started; null for any other. Refusals are written down.
     *
     * @param first what the caller asked for, before a Pod completed it
     */
    @Nullable LaunchRule admit(SessionRequest asked, SessionRequest first, Caller caller) {
        if (!caller.isGuest()) {
            caller.mustBe(Role.DEVELOPER);
        }
        try {
            var rule = rules.admit(asked.launch(first));
            rule.ifPresent(one -> mustFit(one, asked, caller));
            return rule.orElse(null);
        } catch (BivouacException refusal) {
            if (refusal.code() == ErrorCode.FORBIDDEN) {
                var subject = asked.command() == null ? "shell" : ShownText.of(asked.command(), SHOWN);
                refusals.write(
                        caller.project(), caller.refusedBy(refusals), "launch.refused", subject, refusal.getMessage());
                refusal.writtenDown();
            }
            throw refusal;
        }
    }

    LaunchRules rules() {
        return rules;
    }

    /**
     * The same without the Pod's own variables that the command may not have: whoever may have a terminal may write the
     * Pod's config. Those that turn a program into another stay, to be refused.
     *
     * @param first what the caller asked for, before a Pod completed it
     * @param byName whether the command is started because its name is on a list
     */
    SessionRequest confined(SessionRequest whole, SessionRequest first, boolean byName) {
        var command = whole.command();
        return whole.without(whole.launch(first).preset().stream()
                .filter(name -> !TurningVariables.include(name) && !rules.letPreset(name, command, byName))
                .collect(Collectors.toSet()));
    }

    private void mustFit(LaunchRule rule, SessionRequest asked, Caller caller) {
        var existing = asked.sandboxId() == null ? Optional.<Definition>empty() : definition(asked.sandboxId(), caller);
        var usual = asked.template() == null ? Template.DEFAULT : asked.template();
        var template = existing.map(Definition::template).orElse(usual);
        boolean asks = rule.hooks() == null
                || templates.find(template).stream()
                        .anyMatch(found -> found.hooks().contains(rule.hooks()));
        if (!asks) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN,
                    "The launch of " + rule.name() + " is refused: it could not ask for permission, since the template "
                            + template + " has no hooks: [" + rule.hooks().wireName() + "].");
        }
        if (rule.nestedSandbox() && existing.isPresent() && !existing.get().nestedSandbox()) {
            throw new BivouacException(
                    ErrorCode.CONFLICT,
                    rule.name()
                            + " brings a sandbox of its own, which this one was not made for; leave sandboxId out.");
        }
    }

    /** Whether it is there and theirs is said later, by those who say it for every session. */
    private Optional<Definition> definition(String sandbox, Caller caller) {
        return store.find(SandboxId.parse(sandbox))
                .filter(found -> found.project().equals(caller.project()))
                .map(found -> found.definition());
    }
}
