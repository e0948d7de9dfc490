package io.bivouac.sandboxio.command;

import io.bivouac.agent.v1.Failure;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Map;

/** What an agent's refusals and silences are to a client. */
public final class CommandFailures {
    private CommandFailures() {}

    public static BivouacException refused(Failure.Kind kind, String message, String commandId) {
        var code = switch (kind) {
            case CANNOT_START -> ErrorCode.COMMAND_FAILED;
            case NO_SUCH_COMMAND -> ErrorCode.COMMAND_NOT_FOUND;
            case TOO_MANY_COMMANDS -> ErrorCode.COMMAND_LIMIT_EXCEEDED;
            case INVALID -> ErrorCode.INVALID_REQUEST;
            case UNSUPPORTED -> ErrorCode.UNSUPPORTED_BY_RUNTIME;
            case NOT_TRUSTED -> ErrorCode.FORBIDDEN;
            case KIND_UNSPECIFIED, UNRECOGNIZED -> ErrorCode.UNAVAILABLE;
        };
        var detail = switch (code) {
            case COMMAND_NOT_FOUND -> "There is no command " + commandId + " that is still known.";
            case COMMAND_FAILED -> "The command could not be started: " + message;
            default -> message;
        };
        return new BivouacException(code, detail, Map.of("commandId", commandId));
    }

    /** Never 429, which says that nothing was done: the command runs. */
    static BivouacException tooMuchCollected(String commandId) {
        return new BivouacException(
                ErrorCode.UNAVAILABLE,
                "The server holds as many answers as it may in memory. Read this one's output where the"
                        + " sandbox keeps it, within the linger time, or run it as a stream.",
                Map.of("commandId", commandId));
    }

    static BivouacException lost(String why, String commandId) {
        return new BivouacException(ErrorCode.UNAVAILABLE, why, Map.of("commandId", commandId));
    }
}
