package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.sandboxio.command.CommandOrder;
import io.bivouac.sandboxio.command.CommandOrder.Reading;
import io.bivouac.sandboxio.command.ProcessSettings;
import io.bivouac.sandboxio.command.Program;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command as OpenSandbox's SDKs send it.
 *
 * @param command a line for the shell
 * @param argv words in its place
 * @param timeout in milliseconds; none for nothing or zero
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = true)
record CommandRequest(
        @Nullable String command,
        @Nullable List<String> argv,
        @Nullable String cwd,
        @Nullable Boolean background,
        @Nullable Long timeout,
        @Nullable Integer uid,
        @Nullable Integer gid,
        @Nullable Map<String, String> envs) {
    /** What a command in the background writes is read as one text, in the order in which it was written. */
    static final List<String> MERGING = List.of("/bin/sh", "-c", "exec \"$@\" 2>&1", "sh");

    private static final List<String> SHELL = List.of("/bin/bash", "-c");

    /** The line that was sent, of a command as a sandbox shows it: its words with spaces between them. */
    static String line(String shown) {
        return without(SHELL, without(MERGING, shown));
    }

    private static String without(List<String> words, String shown) {
        var start = String.join(" ", words) + " ";
        return shown.startsWith(start) ? shown.substring(start.length()) : shown;
    }

    boolean isInBackground() {
        return Boolean.TRUE.equals(background);
    }

    CommandOrder order(ProcessSettings settings) {
        var words = new ArrayList<>(isInBackground() ? MERGING : List.<String>of());
        words.addAll(words());
        var variables = envs == null ? Map.<String, String>of() : envs;
        var folder = cwd == null || cwd.isEmpty() ? null : cwd;
        var program = new Program(new Program.Argv(words), variables, folder, user());
        var reading = isInBackground() ? Reading.IN_BACKGROUND : Reading.AS_STREAM;
        var limit = timeout == null || timeout == 0 ? null : timeout;
        return CommandOrder.of(program, null, reading, limit, null, settings);
    }

    private List<String> words() {
        if (argv != null && !argv.isEmpty()) {
            return argv;
        }
        if (command == null || command.isBlank()) {
            throw BivouacException.invalidRequest("command is missing.");
        }
        return List.of(SHELL.getFirst(), SHELL.getLast(), command);
    }

    private @Nullable String user() {
        if (uid == null) {
            return null;
        }
        return gid == null ? Integer.toString(uid) : uid + ":" + gid;
    }
}
