package io.bivouac.fronts.e2b.plane;

import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.json.tree.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A remote call whose sender was found out.
 *
 * @param user null for the sandbox's ordinary user
 * @param timeoutMillis null for none
 */
record Call(
        String sandbox,
        Caller caller,
        @Nullable String user,
        @Nullable Long timeoutMillis,
        JsonNode message) {
    private static final String BASIC = "Basic ";

    /** The ordinary user of E2B's templates; ours has another name. */
    private static final String THEIR_USER = "user";

    static Call of(HttpRequest<?> request, Caller caller, JsonNode message) {
        var headers = request.getHeaders();
        return new Call(
                headers.get(SandboxCallers.SANDBOX),
                caller,
                user(headers.get("Authorization")),
                timeout(headers.get("Connect-Timeout-Ms")),
                message);
    }

    private static @Nullable String user(@Nullable String header) {
        if (header == null || !header.startsWith(BASIC)) {
            return null;
        }
        try {
            var text = new String(Base64.getDecoder().decode(header.substring(BASIC.length())), StandardCharsets.UTF_8);
            return ours(text.split(":", 2)[0]);
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }

    static @Nullable String ours(@Nullable String user) {
        return user == null || user.isEmpty() || user.equals(THEIR_USER) ? null : user;
    }

    private static @Nullable Long timeout(@Nullable String header) {
        return header == null || !header.matches("\\d{1,8}") || Long.parseLong(header) == 0
                ? null
                : Long.valueOf(header);
    }
}
