package io.bivouac.terminalrelay.terminal;

import io.bivouac.agent.v1.Run;
import io.bivouac.sandboxio.command.Program;
import io.bivouac.sandboxio.command.RequestedCommand;
import io.bivouac.sandboxio.command.RunMessages;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * A checked request for a terminal.
 *
 * @param run what the agent is told, without ids
 * @param command for people: at most {@link #SHOWN} characters
 */
public record TerminalOrder(Run.Builder run, String command, int columns, int rows) {
    public static final int COLUMNS = 80;
    public static final int ROWS = 24;
    static final int LARGEST_SIZE = 1000;
    private static final int SHOWN = 200;

    /** Without a command the sandbox's shell is started. */
    public static TerminalOrder of(
            @Nullable Integer columns,
            @Nullable Integer rows,
            @Nullable JsonNode command,
            @Nullable String cwd,
            @Nullable Map<String, String> envs,
            @Nullable String user) {
        var line = command == null || command.isNull() ? null : RequestedCommand.read(command);
        var run = RunMessages.of(new Program(line, envs == null ? Map.of() : envs, cwd, user));
        return new TerminalOrder(run, shown(run), size(columns, COLUMNS, "cols"), size(rows, ROWS, "rows"));
    }

    public static TerminalOrder of(@Nullable Integer columns, @Nullable Integer rows, List<String> words) {
        var run = RunMessages.of(new Program(new Program.Argv(words), Map.of(), null, null));
        return new TerminalOrder(run, shown(run), size(columns, COLUMNS, "cols"), size(rows, ROWS, "rows"));
    }

    public static int size(@Nullable Integer asked, int usual, String what) {
        int size = asked == null ? usual : asked;
        if (size < 1 || size > LARGEST_SIZE) {
            throw BivouacException.invalidRequest(what + " must be between 1 and " + LARGEST_SIZE + ".");
        }
        return size;
    }

    private static String shown(Run.Builder run) {
        var whole = switch (run.getCommandCase()) {
            case SHELL_LINE -> run.getShellLine();
            case ARGV -> String.join(" ", run.getArgv().getWordsList());
            case COMMAND_NOT_SET -> "shell";
        };
        return whole.length() <= SHOWN ? whole : whole.substring(0, SHOWN - 1) + "…";
    }
}
