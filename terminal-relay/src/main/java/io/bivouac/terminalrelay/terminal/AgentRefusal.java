package io.bivouac.terminalrelay.terminal;

import io.bivouac.agent.v1.Failure;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.wire.ToClient;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/** What a client hears when the agent will not attach it to a terminal, or no longer. */
final class AgentRefusal {
    private AgentRefusal() {}

    static ToClient told(Failure.Kind kind, String message) {
        return new ToClient.Failed(codeOf(kind), message);
    }

    private static ErrorCode codeOf(Failure.Kind kind) {
        return switch (kind) {
            case NO_SUCH_COMMAND -> ErrorCode.SESSION_EXPIRED;
            case TOO_MANY_COMMANDS -> ErrorCode.PTY_LIMIT_EXCEEDED;
            case INVALID -> ErrorCode.INVALID_REQUEST;
            case NOT_TRUSTED -> ErrorCode.FORBIDDEN;
            case CANNOT_START, UNSUPPORTED, KIND_UNSPECIFIED, UNRECOGNIZED -> ErrorCode.PTY_ERROR;
        };
    }

    static WebSocketCloseStatus closeOf(Failure.Kind kind) {
        return switch (kind) {
            case NO_SUCH_COMMAND -> WebSocketCloseStatus.NORMAL_CLOSURE;
            case TOO_MANY_COMMANDS -> WebSocketCloseStatus.TRY_AGAIN_LATER;
            case INVALID, NOT_TRUSTED -> WebSocketCloseStatus.POLICY_VIOLATION;
            case CANNOT_START, UNSUPPORTED, KIND_UNSPECIFIED, UNRECOGNIZED ->
                WebSocketCloseStatus.INTERNAL_SERVER_ERROR;
        };
    }
}
