package io.bivouac.terminalrelay.door;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.terminalrelay.pod.Grant;
import io.bivouac.terminalrelay.pod.PodFiles;
import io.bivouac.terminalrelay.pod.PodViews;
import io.bivouac.terminalrelay.sealed.HostKey;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;

/**
 * A session as its clients see it; the protocols are shown to whoever may open its WebSocket now.
 *
 * @param podFolder where the sandbox has the Pod's files; said to whom the Pod let in, when the session starts
 * @param podAbsent why it does not have them
 * @param permissions what the Pod's ACL grants; said with podFolder
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record SessionView(
        String sessionId,
        String status,
        String wsUrl,
        @Nullable List<String> protocols,
        String userId,
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
        @Nullable Permissions permissions) {

    /**
     * What the Pod's ACL grants the session.
     *
     * @param workdirs the containers that it is confined to; null for none
     * @param secrets the documents that its secrets are from
     * @param maxDuration in seconds; null where the ACL sets no bound
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Permissions(
            @Nullable List<String> workdirs,
            List<String> secrets,
            @Nullable Long maxDuration) {
        static Permissions of(Grant grant) {
            var within = grant.within();
            var longest = grant.longest();
            return new Permissions(
                    within == null ? null : within.stream().sorted().toList(),
                    grant.ask().secrets().stream().sorted().toList(),
                    longest == null ? null : longest.toSeconds());
        }
    }

    static SessionView of(Terminal terminal, String url, @Nullable List<String> protocols, Instant now) {
        return new SessionView(
                terminal.id(),
                terminal.status(now),
                url,
                protocols,
                terminal.owner(),
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
                null);
    }

    SessionView with(PodFiles files, Grant grant) {
        var why = files instanceof PodFiles.Absent absent ? absent.why() : null;
        return new SessionView(
                sessionId,
                status,
                wsUrl,
                protocols,
                userId,
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
                Permissions.of(grant));
    }
}
