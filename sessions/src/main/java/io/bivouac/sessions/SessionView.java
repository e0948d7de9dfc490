package io.bivouac.sessions;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sessions.pod.PodFiles;
import io.bivouac.sessions.pod.PodViews;
import io.bivouac.sessions.pod.SessionPermissions;
import io.bivouac.terminalrelay.sealed.HostKey;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;

/**
 * A session as its clients see it; the protocols are shown to whoever may open its WebSocket now.
 *
 * @param ptyPid of the program while it runs, as its sandbox numbers processes
 * @param podFolder where the sandbox has the Pod's files; said to whom the Pod let in, when the session starts
 * @param podAbsent why it does not have them
 * @param permissions what the Pod's ACL grants; null where no Pod let the caller in
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record SessionView(
        String sessionId,
        String status,
        String wsUrl,
        @Nullable List<String> protocols,
        String userId,
        @Nullable Integer ptyPid,
        String sandboxId,
        String command,
        @Nullable String workdir,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant endedAt,
        @Nullable String endReason,
        @Nullable Integer exitCode,
        boolean sealed,
        @Nullable String hostKey,
        @Nullable String hostKeyFingerprint,
        @Nullable String podFolder,
        @Nullable String podAbsent,
        @Nullable SessionPermissions permissions) {

    /** Of its WebSocket. */
    static String path(Terminal terminal) {
        return TerminalPaths.SESSIONS + "/" + terminal.id() + "/ws";
    }

    static SessionView of(
            Terminal terminal,
            String url,
            @Nullable List<String> protocols,
            @Nullable SessionPermissions permissions,
            Instant now) {
        return new SessionView(
                terminal.id(),
                terminal.status(now),
                url,
                protocols,
                terminal.owner(),
                terminal.isOver() ? null : terminal.pid(),
                terminal.sandboxId(),
                terminal.command(),
                terminal.workdir(),
                terminal.createdAt(),
                terminal.expiresAt(),
                terminal.endedAt(),
                terminal.endReason(),
                terminal.exitCode(),
                terminal.sealed(),
                terminal.hostKey(),
                HostKey.fingerprint(terminal.hostKey()),
                null,
                null,
                permissions);
    }

    SessionView with(PodFiles files) {
        var why = files instanceof PodFiles.Absent absent ? absent.why() : null;
        return new SessionView(
                sessionId,
                status,
                wsUrl,
                protocols,
                userId,
                ptyPid,
                sandboxId,
                command,
                workdir,
                createdAt,
                expiresAt,
                endedAt,
                endReason,
                exitCode,
                sealed,
                hostKey,
                hostKeyFingerprint,
                why == null ? PodViews.FOLDER : null,
                why,
                permissions);
    }
}
