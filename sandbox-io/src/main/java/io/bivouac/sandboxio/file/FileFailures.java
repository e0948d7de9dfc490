package io.bivouac.sandboxio.file;

import io.bivouac.agent.v1.FileFailure;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Map;

/** What an agent's refusals and silences are to a client. */
final class FileFailures {
    private FileFailures() {}

    static BivouacException refused(FileFailure.Kind kind, String message, long size) {
        var code = switch (kind) {
            case NOT_FOUND -> ErrorCode.FILE_NOT_FOUND;
            case EXISTS -> ErrorCode.FILE_EXISTS;
            case NOT_A_FOLDER -> ErrorCode.NOT_A_FOLDER;
            case IS_A_FOLDER -> ErrorCode.IS_A_FOLDER;
            case NOT_PERMITTED -> ErrorCode.FILE_NOT_PERMITTED;
            case NO_SPACE -> ErrorCode.NO_SPACE;
            case TOO_MANY -> ErrorCode.TRANSFER_LIMIT_EXCEEDED;
            case CHANGED -> ErrorCode.PRECONDITION_FAILED;
            case BAD_RANGE -> ErrorCode.RANGE_NOT_SATISFIABLE;
            case NOT_EMPTY -> ErrorCode.FOLDER_NOT_EMPTY;
            case NOT_A_FILE -> ErrorCode.NOT_A_FILE;
            case BAD_ARCHIVE -> ErrorCode.INVALID_ARCHIVE;
            case INVALID -> ErrorCode.INVALID_REQUEST;
            case UNSUPPORTED -> ErrorCode.UNSUPPORTED_BY_RUNTIME;
            case FAILED, UNRECOGNIZED -> ErrorCode.FILE_FAILED;
        };
        return code == ErrorCode.RANGE_NOT_SATISFIABLE
                ? new BivouacException(code, message, Map.of("size", size))
                : new BivouacException(code, message);
    }

    static BivouacException lost(String why) {
        return new BivouacException(ErrorCode.UNAVAILABLE, why);
    }
}
