package io.bivouac.sessions.launch;

import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.Optional;

/**
 * How one trusted program is started.
 *
 * @param name what callers call it
 * @param executables where it is in a sandbox: the first that is there is taken, and no other file of that name
 * @param prefix what comes before the caller's arguments
 * @param hooks what makes it ask: its sandbox's template must have them; null for a program that need not
 * @param egress the hosts that it needs: a sandbox that is made for it may reach them
 * @param nestedSandbox whether it brings a sandbox of its own, so that it may make namespaces
 */
public record LaunchRule(
        String name,
        List<String> executables,
        List<String> prefix,
        ArgumentPolicy arguments,
        EnvironmentPolicy environment,
        @Nullable ManagedHooks hooks,
        EgressPolicy egress,
        boolean nestedSandbox) {
    public LaunchRule {
        executables = List.copyOf(executables);
        prefix = List.copyOf(prefix);
    }

    boolean isAbout(String command) {
        // With a prefix the file is an interpreter, which does other things as well.
        return command.equals(name) || prefix.isEmpty() && executables.contains(command);
    }

    /** Whether it goes by the program's name, wherever it may be. */
    boolean isNamesake(String command) {
        return command.substring(command.lastIndexOf('/') + 1).equals(name);
    }

    /** Why it is not started so; empty when it is. */
    Optional<String> objection(LaunchAsk ask) {
        return arguments
                .objection(ask.arguments())
                .or(() -> environment.objection(ask.variables()))
                .or(() -> environment.objection(ask.preset()));
    }
}
