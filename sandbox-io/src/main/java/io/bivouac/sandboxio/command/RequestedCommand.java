package io.bivouac.sandboxio.command;

import io.bivouac.sandboxio.command.Program.Argv;
import io.bivouac.sandboxio.command.Program.Line;
import io.bivouac.sandboxio.command.Program.ShellLine;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;

/** Reads the command of a JSON request: a shell line, or the words of an argv. */
public final class RequestedCommand {
    private RequestedCommand() {}

    public static Line read(@Nullable JsonNode command) {
        if (command != null && command.isString() && !command.getStringValue().isEmpty()) {
            return new ShellLine(command.getStringValue());
        }
        if (command == null || command.isNull()) {
            throw BivouacException.invalidRequest("command is missing; it is a shell line, or a list of words.");
        }
        if (!command.isArray() || command.size() == 0) {
            throw BivouacException.invalidRequest("command must be a shell line, or a list of at least one word.");
        }
        var words = new ArrayList<String>();
        for (var word : command.values()) {
            if (!word.isString()) {
                throw BivouacException.invalidRequest("command must be a list of strings.");
            }
            words.add(word.getStringValue());
        }
        return new Argv(words);
    }
}
