package io.bivouac.sessions.launch;

import java.util.List;

/**
 * Variables that may be set for a command that is allowed by its name alone: the terminal, the language, the time zone
 * and credentials. Any other may have the command read a configuration of the caller's making, which for most programs
 * means running what it says.
 */
public final class PlainVariables {
    static final EnvironmentPolicy POLICY = new EnvironmentPolicy(
            List.of("TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_*", "TZ", "*_TOKEN", "*_API_KEY"));

    private PlainVariables() {}

    public static boolean include(String name) {
        return POLICY.allows(name);
    }
}
