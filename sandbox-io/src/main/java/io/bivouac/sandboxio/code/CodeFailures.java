package io.bivouac.sandboxio.code;

import io.bivouac.agent.v1.CodeFailure;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;

/** What an agent's refusals and silences are to a client. */
final class CodeFailures {
    private CodeFailures() {}

    static BivouacException refused(CodeFailure.Kind kind, String message) {
        var code = switch (kind) {
            case INVALID -> ErrorCode.INVALID_REQUEST;
            case NO_SUCH_SESSION -> ErrorCode.CODE_SESSION_NOT_FOUND;
            case NO_SUCH_RESULT -> ErrorCode.CODE_RESULT_NOT_FOUND;
            case TOO_MANY -> ErrorCode.CODE_LIMIT_EXCEEDED;
            case NO_SUCH_LANGUAGE -> ErrorCode.LANGUAGE_NOT_AVAILABLE;
            case CANNOT_START -> ErrorCode.INTERPRETER_FAILED;
            case FAILED, UNRECOGNIZED -> ErrorCode.INTERNAL_ERROR;
        };
        return new BivouacException(code, message);
    }

    static BivouacException lost(String why) {
        return new BivouacException(ErrorCode.UNAVAILABLE, why);
    }
}
