package io.bivouac.sandboxio.code;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Code that is to be run, checked.
 *
 * @param language null for that of the session
 * @param sessionId null for the language's default session
 * @param env of this run alone
 */
public record CodeToRun(
        String executionId,
        @Nullable CodeLanguage language,
        String code,
        @Nullable String sessionId,
        Duration timeout,
        Map<String, String> env) {
    static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);
    static final int LARGEST_CODE = 1024 * 1024;
    static final int LARGEST_ENVIRONMENT = 256 * 1024;
    private static final int VARIABLES = 1_024;
    private static final int LONGEST_CWD = 4_096;
    private static final double MILLIS = 1_000;
    private static final Pattern SESSION = Pattern.compile("[A-Za-z0-9._-]{1,128}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** @param timeoutSeconds null for the usual one */
    public static CodeToRun of(
            @Nullable String language,
            @Nullable String code,
            @Nullable String sessionId,
            @Nullable Double timeoutSeconds,
            @Nullable Map<String, String> envs,
            CodeSettings settings) {
        if (code == null) {
            throw BivouacException.invalidRequest("code is missing.");
        }
        if (code.getBytes(StandardCharsets.UTF_8).length > LARGEST_CODE || code.indexOf('\0') >= 0) {
            throw BivouacException.invalidRequest(
                    "code must have at most " + LARGEST_CODE + " bytes, and no NUL; put larger things into files.");
        }
        var session = sessionId == null || sessionId.isEmpty() ? null : session(sessionId);
        return new CodeToRun(
                "run-" + UUID.randomUUID(),
                language == null && session != null ? null : CodeLanguage.parse(language),
                code,
                session,
                timeout(timeoutSeconds, settings),
                checked(envs == null ? Map.of() : envs));
    }

    static String session(String id) {
        if (!SESSION.matcher(id).matches()) {
            throw BivouacException.invalidRequest("This is not the id of a session.");
        }
        return id;
    }

    static String cwd(@Nullable String cwd) {
        if (cwd != null && (cwd.length() > LONGEST_CWD || cwd.indexOf('\0') >= 0)) {
            throw BivouacException.invalidRequest("cwd must have at most " + LONGEST_CWD + " characters, and no NUL.");
        }
        return cwd == null ? "" : cwd;
    }

    private static Duration timeout(@Nullable Double seconds, CodeSettings settings) {
        if (seconds == null) {
            return settings.getDefaultTimeout();
        }
        if (!(seconds >= 1 / MILLIS && seconds <= LONGEST_TIMEOUT.toSeconds())) {
            throw BivouacException.invalidRequest(
                    "timeout must be above 0 and at most " + LONGEST_TIMEOUT.toSeconds() + " seconds.");
        }
        return Duration.ofMillis(Math.round(seconds * MILLIS));
    }

    private static Map<String, String> checked(Map<String, String> envs) {
        if (envs.size() > VARIABLES) {
            throw BivouacException.invalidRequest("envs must have at most " + VARIABLES + " variables.");
        }
        long size = 0;
        for (var variable : envs.entrySet()) {
            var value = variable.getValue();
            if (!VARIABLE.matcher(variable.getKey()).matches()) {
                throw BivouacException.invalidRequest(
                        "A variable of envs needs a name of letters, digits and underscores.");
            }
            if (value == null || value.indexOf('\0') >= 0) {
                throw BivouacException.invalidRequest("envs." + variable.getKey() + " must be a string without NUL.");
            }
            size += variable.getKey().length() + (long) value.length();
        }
        if (size > LARGEST_ENVIRONMENT) {
            throw BivouacException.invalidRequest("envs must have at most " + LARGEST_ENVIRONMENT + " characters.");
        }
        return Map.copyOf(envs);
    }
}
