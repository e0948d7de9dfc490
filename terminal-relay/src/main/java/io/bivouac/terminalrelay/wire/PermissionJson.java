package io.bivouac.terminalrelay.wire;

import io.bivouac.sandboxio.text.JsonBytes;
import io.micronaut.core.annotation.Nullable;
import java.time.DateTimeException;
import java.time.Instant;

/** How questions for permission and their answers are spelled, at every door that has words for them. */
final class PermissionJson {
    static final String RESPONSE = "permission_response";

    private static final int LONGEST_REASON = 1024;
    private static final int LONGEST_SCOPE = 16;

    private PermissionJson() {}

    /** What follows the type, without the closing brace. */
    static JsonBytes write(ToClient.PermissionRequest request, JsonBytes written) {
        text(written, "requestId", request.requestId());
        text(written, "source", request.source());
        text(written, "action", request.action());
        text(written, "resource", request.resource());
        text(written, "description", request.description());
        text(written, "cwd", request.cwd());
        text(written, "input", request.input());
        written.raw(",\"inputBytes\":" + request.inputBytes() + ",\"timeout\":" + request.timeout());
        text(written, "expiresAt", request.expiresAt().toString());
        if (request.scopes() != null) {
            written.raw(",\"scopes\":[\"" + String.join("\",\"", request.scopes()) + "\"]");
        }
        return written;
    }

    static JsonBytes write(ToClient.PermissionResolved resolved, JsonBytes written) {
        text(written, "requestId", resolved.requestId());
        written.raw(",\"granted\":" + resolved.granted());
        text(written, "decidedBy", resolved.decidedBy());
        text(written, "reason", resolved.reason());
        return text(
                written,
                "expiresAt",
                resolved.until() == null ? null : resolved.until().toString());
    }

    private static JsonBytes text(JsonBytes written, String field, @Nullable String value) {
        return value == null
                ? written
                : written.raw(",\"" + field + "\":\"").escaped(value).raw("\"");
    }

    static FromClient read(JsonFrame message) throws BadFrame {
        return new FromClient.PermissionResponse(
                message.text("requestId"), message.truth("granted"), until(message), reason(message), scope(message));
    }

    /** Whether it is a scope at all is found out by whoever takes the answer. */
    @Nullable private static String scope(JsonFrame message) throws BadFrame {
        var scope = message.has("scope") ? message.text("scope") : null;
        if (scope != null && scope.length() > LONGEST_SCOPE) {
            throw new BadFrame("scope must be once, sandbox or template.");
        }
        return scope;
    }

    @Nullable private static Instant until(JsonFrame message) throws BadFrame {
        if (!message.has("expiresAt")) {
            return null;
        }
        try {
            return Instant.parse(message.text("expiresAt"));
        } catch (DateTimeException malformed) {
            throw new BadFrame("expiresAt must be a time such as 2026-01-31T12:00:00Z.");
        }
    }

    @Nullable private static String reason(JsonFrame message) throws BadFrame {
        var reason = message.has("reason") ? message.text("reason") : null;
        if (reason != null && reason.length() > LONGEST_REASON) {
            throw new BadFrame("reason must have at most " + LONGEST_REASON + " characters.");
        }
        return reason;
    }
}
