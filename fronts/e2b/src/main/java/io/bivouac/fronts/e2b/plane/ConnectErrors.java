package io.bivouac.fronts.e2b.plane;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;

/** Our errors as the Connect protocol names them. */
final class ConnectErrors {
    private ConnectErrors() {}

    static JsonNode of(Throwable failure) {
        return failure instanceof BivouacException refusal
                ? of(refusal.code(), refusal.getMessage())
                : Json.of(Map.of("code", "internal", "message", "Something went wrong on our side."));
    }

    static JsonNode of(ErrorCode code, String message) {
        return Json.of(Map.of("code", name(code), "message", message));
    }

    static String name(ErrorCode code) {
        return switch (code) {
            case UNAUTHORIZED -> "unauthenticated";
            case FORBIDDEN, FILE_NOT_PERMITTED -> "permission_denied";
            case INVALID_REQUEST, COMMAND_FAILED, NOT_A_FOLDER, IS_A_FOLDER, NOT_A_FILE -> "invalid_argument";
            case NOT_FOUND, FILE_NOT_FOUND, COMMAND_NOT_FOUND -> "not_found";
            case FILE_EXISTS -> "already_exists";
            case SANDBOX_NOT_FOUND, SANDBOX_NOT_RUNNING, UNAVAILABLE -> "unavailable";
            case PROCESS_TIMEOUT -> "deadline_exceeded";
            case COMMAND_LIMIT_EXCEEDED, TRANSFER_LIMIT_EXCEEDED, RATE_LIMITED, NO_SPACE -> "resource_exhausted";
            case UNSUPPORTED_BY_RUNTIME -> "unimplemented";
            default -> "internal";
        };
    }

    /** The status of a refused call without a stream. */
    static int status(String name) {
        return switch (name) {
            case "unauthenticated" -> 401;
            case "permission_denied" -> 403;
            case "invalid_argument" -> 400;
            case "not_found" -> 404;
            case "already_exists" -> 409;
            case "resource_exhausted" -> 429;
            case "unimplemented" -> 501;
            case "unavailable" -> 502;
            default -> 500;
        };
    }
}
