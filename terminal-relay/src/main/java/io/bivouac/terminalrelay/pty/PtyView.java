package io.bivouac.terminalrelay.pty;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.terminalrelay.sealed.HostKey;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;

/** A PTY as its clients see it; the protocols are shown to whoever may open its WebSocket now. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record PtyView(
        String id,
        String sandboxId,
        String status,
        String command,
        String websocketUrl,
        @Nullable List<String> protocols,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Integer exitCode,
        @Nullable String endReason,
        boolean sealed,
        @Nullable String hostKey,
        @Nullable String hostKeyFingerprint) {
    /** Of its WebSocket. */
    static String path(Terminal terminal) {
        return "/api/v1/sandboxes/" + terminal.sandboxId() + "/pty/" + terminal.id() + "/ws";
    }

    static PtyView of(Terminal terminal, String url, @Nullable List<String> protocols, Instant now) {
        return new PtyView(
                terminal.id(),
                terminal.sandboxId(),
                terminal.status(now),
                terminal.command(),
                url,
                protocols,
                terminal.createdAt(),
                terminal.expiresAt(),
                terminal.exitCode(),
                terminal.endReason(),
                terminal.sealed(),
                terminal.hostKey(),
                HostKey.fingerprint(terminal.hostKey()));
    }
}
