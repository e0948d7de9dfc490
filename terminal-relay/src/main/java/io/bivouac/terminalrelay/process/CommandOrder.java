package io.bivouac.terminalrelay.process;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Argv;
import io.bivouac.agent.v1.Run;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.util.Map;

/** A checked request to run a command. */
record CommandOrder(String commandId, Run.Builder run, ByteString input) {
    static final int DEFAULT_OUTPUT = 10 * 1024 * 1024;
    static final int LARGEST_OUTPUT = 64 * 1024 * 1024;
    static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);

    /** The kernel takes no longer argument or variable (MAX_ARG_STRLEN). */
    private static final int LONGEST_WORD = 128 * 1024 - 1;

    private static final int LONGEST_WORDS = 512 * 1024;
    private static final int MOST_WORDS = 8192;
    private static final int MOST_VARIABLES = 1024;
    private static final int LONGEST_PATH = 4096;
    private static final int LONGEST_USER = 64;

    static CommandOrder of(RunRequest request, ProcessSettings settings) {
        var run = Run.newBuilder()
                .setCommandId(CommandId.next())
                .setLingerMillis(settings.getLinger().toMillis())
                .setBackground(request.isBackground());
        command(run, request.command());
        environment(run, request.envs());
        if (request.cwd() != null) {
            run.setCwd(checked(request.cwd(), "cwd", LONGEST_PATH));
        }
        if (request.user() != null) {
            run.setUser(checked(request.user(), "user", LONGEST_USER));
        }
        boolean inOnePiece = !request.isStream() && !request.isBackground();
        run.setTimeoutMillis(timeout(request.timeout(), inOnePiece ? settings.getDefaultTimeout() : Duration.ZERO));
        run.setMaxOutputBytes(outputSize(request.maxOutputSize(), inOnePiece));
        var input = request.stdin() == null ? ByteString.EMPTY : ByteString.copyFromUtf8(request.stdin());
        return new CommandOrder(run.getCommandId(), run, input);
    }

    private static void command(Run.Builder run, @Nullable JsonNode command) {
        if (command != null && command.isString() && !command.getStringValue().isEmpty()) {
            run.setShellLine(checked(command.getStringValue(), "command", LONGEST_WORD));
        } else if (command != null && command.isArray() && command.size() > 0) {
            run.setArgv(words(command));
        } else {
            throw invalid("command must be a shell line, or a list of at least one word.");
        }
    }

    private static Argv words(JsonNode command) {
        var argv = Argv.newBuilder();
        long length = 0;
        for (var word : command.values()) {
            if (!word.isString()) {
                throw invalid("command must be a list of strings.");
            }
            length += word.getStringValue().length();
            argv.addWords(checked(word.getStringValue(), "a word of command", LONGEST_WORD));
        }
        if (command.size() > MOST_WORDS || length > LONGEST_WORDS) {
            throw invalid("command may have at most " + MOST_WORDS + " words and " + LONGEST_WORDS + " characters.");
        }
        if (argv.getWords(0).isEmpty()) {
            throw invalid("the first word of command is empty.");
        }
        return argv.build();
    }

    private static void environment(Run.Builder run, @Nullable Map<String, String> envs) {
        if (envs == null) {
            return;
        }
        long length = 0;
        for (var variable : envs.entrySet()) {
            var name = variable.getKey();
            if (name.isEmpty() || name.indexOf('=') >= 0 || variable.getValue() == null) {
                throw invalid("envs must have names without \"=\" and values that are strings.");
            }
            length += name.length() + variable.getValue().length();
            run.putEnv(
                    checked(name, "a name in envs", LONGEST_WORD),
                    checked(variable.getValue(), "a value in envs", LONGEST_WORD));
        }
        if (envs.size() > MOST_VARIABLES || length > LONGEST_WORDS) {
            throw invalid("envs may have at most " + MOST_VARIABLES + " names and " + LONGEST_WORDS + " characters.");
        }
    }

    private static long timeout(@Nullable Long millis, Duration otherwise) {
        if (millis == null) {
            return otherwise.toMillis();
        }
        if (millis < 1 || millis > LONGEST_TIMEOUT.toMillis()) {
            throw invalid("timeout must be between 1 and " + LONGEST_TIMEOUT.toMillis() + " milliseconds.");
        }
        return millis;
    }

    private static long outputSize(@Nullable Long bytes, boolean inOnePiece) {
        if (bytes == null) {
            return inOnePiece ? DEFAULT_OUTPUT : 0;
        }
        if (bytes < 1 || (inOnePiece && bytes > LARGEST_OUTPUT)) {
            throw invalid(
                    "maxOutputSize must be between 1 and " + LARGEST_OUTPUT + " bytes; a stream takes larger ones.");
        }
        return bytes;
    }

    private static String checked(String text, String what, int longest) {
        if (text.length() > longest) {
            throw invalid(what + " may have at most " + longest + " characters.");
        }
        if (text.indexOf('\0') >= 0) {
            throw invalid(what + " may not contain a NUL character.");
        }
        return text;
    }

    static BivouacException invalid(String why) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, why);
    }
}
