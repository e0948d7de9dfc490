package io.bivouac.sandboxio.command;

import io.bivouac.agent.v1.Argv;
import io.bivouac.agent.v1.Run;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;

/** The parts of a request that say what is run, checked: the same for commands and terminals. */
public final class RunParts {
    /** The kernel takes no longer argument or variable (MAX_ARG_STRLEN). */
    private static final int LONGEST_WORD = 128 * 1024 - 1;

    private static final int LONGEST_WORDS = 512 * 1024;
    private static final int MOST_WORDS = 8192;
    private static final int MOST_VARIABLES = 1024;
    private static final int LONGEST_PATH = 4096;
    private static final int LONGEST_USER = 64;

    private RunParts() {}

    public static void command(Run.Builder run, @Nullable JsonNode command) {
        if (command != null && command.isString() && !command.getStringValue().isEmpty()) {
            run.setShellLine(checked(command.getStringValue(), "command", LONGEST_WORD));
        } else if (command != null && command.isArray() && command.size() > 0) {
            var words = new java.util.ArrayList<String>();
            for (var word : command.values()) {
                if (!word.isString()) {
                    throw BivouacException.invalidRequest("command must be a list of strings.");
                }
                words.add(word.getStringValue());
            }
            words(run, words);
        } else {
            throw BivouacException.invalidRequest("command must be a shell line, or a list of at least one word.");
        }
    }

    public static void words(Run.Builder run, List<String> words) {
        var argv = Argv.newBuilder();
        long length = 0;
        for (var word : words) {
            length += word.length();
            argv.addWords(checked(word, "a word of command", LONGEST_WORD));
        }
        if (words.size() > MOST_WORDS || length > LONGEST_WORDS) {
            throw BivouacException.invalidRequest(
                    "command may have at most " + MOST_WORDS + " words and " + LONGEST_WORDS + " characters.");
        }
        if (words.isEmpty() || words.getFirst().isEmpty()) {
            throw BivouacException.invalidRequest("the first word of command is empty.");
        }
        run.setArgv(argv);
    }

    public static void environment(Run.Builder run, @Nullable Map<String, String> envs) {
        if (envs == null) {
            return;
        }
        long length = 0;
        for (var variable : envs.entrySet()) {
            var name = variable.getKey();
            if (name.isEmpty() || name.indexOf('=') >= 0 || variable.getValue() == null) {
                throw BivouacException.invalidRequest(
                        "envs must have names without \"=\" and values that are strings.");
            }
            length += name.length() + variable.getValue().length();
            run.putEnv(
                    checked(name, "a name in envs", LONGEST_WORD),
                    checked(variable.getValue(), "a value in envs", LONGEST_WORD));
        }
        if (envs.size() > MOST_VARIABLES || length > LONGEST_WORDS) {
            throw BivouacException.invalidRequest(
                    "envs may have at most " + MOST_VARIABLES + " names and " + LONGEST_WORDS + " characters.");
        }
    }

    public static void place(Run.Builder run, @Nullable String cwd, @Nullable String user) {
        if (cwd != null) {
            run.setCwd(checked(cwd, "cwd", LONGEST_PATH));
        }
        if (user != null) {
            run.setUser(checked(user, "user", LONGEST_USER));
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
