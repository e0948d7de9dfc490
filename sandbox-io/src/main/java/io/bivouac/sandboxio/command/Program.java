package io.bivouac.sandboxio.command;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.Map;

/**
 * A program as it is to be started in a sandbox, within the bounds that commands and terminals share.
 *
 * @param line null for the sandbox's shell
 * @param envs added to the sandbox's own variables
 * @param cwd null for the sandbox's usual folder
 * @param user null for the sandbox's usual user
 */
public record Program(
        @Nullable Line line,
        Map<String, String> envs,
        @Nullable String cwd,
        @Nullable String user) {
    /** The kernel takes no longer argument or variable (MAX_ARG_STRLEN). */
    private static final int LONGEST_WORD = 128 * 1024 - 1;

    private static final int LONGEST_WORDS = 512 * 1024;
    private static final int MOST_WORDS = 8192;
    private static final int MOST_VARIABLES = 1024;
    private static final int LONGEST_PATH = 4096;
    private static final int LONGEST_USER = 64;

    /** A program and its arguments. */
    public sealed interface Line {}

    /** A line for the sandbox's shell. */
    public record ShellLine(String text) implements Line {
        public ShellLine {
            checked(text, "command", LONGEST_WORD);
        }
    }

    /** Words that reach the program as they are. */
    public record Argv(List<String> words) implements Line {
        public Argv {
            long length = 0;
            for (var word : words) {
                length += checked(word, "a word of command", LONGEST_WORD).length();
            }
            if (words.size() > MOST_WORDS || length > LONGEST_WORDS) {
                throw BivouacException.invalidRequest(
                        "command may have at most " + MOST_WORDS + " words and " + LONGEST_WORDS + " characters.");
            }
            if (words.isEmpty() || words.getFirst().isEmpty()) {
                throw BivouacException.invalidRequest("the first word of command is empty.");
            }
            words = List.copyOf(words);
        }
    }

    public Program {
        checkVariables(envs);
        if (cwd != null) {
            checked(cwd, "cwd", LONGEST_PATH);
        }
        if (user != null) {
            checked(user, "user", LONGEST_USER);
        }
        envs = Map.copyOf(envs);
    }

    private static void checkVariables(Map<String, String> envs) {
        long length = 0;
        for (var variable : envs.entrySet()) {
            var name = variable.getKey();
            if (name.isEmpty() || name.indexOf('=') >= 0 || variable.getValue() == null) {
                throw BivouacException.invalidRequest(
                        "envs must have names without \"=\" and values that are strings.");
            }
            length += checked(name, "a name in envs", LONGEST_WORD).length();
            length += checked(variable.getValue(), "a value in envs", LONGEST_WORD)
                    .length();
        }
        if (envs.size() > MOST_VARIABLES || length > LONGEST_WORDS) {
            throw BivouacException.invalidRequest(
                    "envs may have at most " + MOST_VARIABLES + " names and " + LONGEST_WORDS + " characters.");
        }
    }

    private static String checked(String text, String what, int longest) {
        if (text.length() > longest) {
            throw BivouacException.invalidRequest(what + " may have at most " + longest + " characters.");
        }
        if (text.indexOf('\0') >= 0) {
            throw BivouacException.invalidRequest(what + " may not contain a NUL character.");
        }
        return text;
    }
}
