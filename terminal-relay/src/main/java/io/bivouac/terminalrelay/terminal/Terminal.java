package io.bivouac.terminalrelay.terminal;

import io.bivouac.events.TerminalData;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A terminal as the database has it. Its id is also the id of its command in the agent.
 *
 * @param startedAt null until the agent has started it
 * @param ending why it is being ended, once somebody decided that
 * @param sealed whether only its clients and its agent can read what passes
 * @param hostKey the agent's key, once a sealed terminal has started
 * @param pid of its program, as the sandbox numbers processes, once it has started
 */
@MappedEntity("terminals")
public record Terminal(
        @Id String id,
        String sandboxId,
        String projectId,
        String owner,
        String door,
        String command,
        @Nullable String workdir,
        int columns,
        int rows,
        boolean ownSandbox,
        boolean recorded,
        long idleSeconds,
        Instant createdAt,
        Instant expiresAt,
        Instant activeAt,
        @Nullable Instant startedAt,
        @Nullable Instant attachedAt,
        @Nullable String ending,
        @Nullable Instant endedAt,
        @Nullable String endReason,
        @Nullable Integer exitCode,
        boolean sealed,
        @Nullable String hostKey,
        @Nullable Integer pid) {
    /** Quiet for so long, a terminal is called idle. */
    static final Duration IDLE_AFTER = Duration.ofMinutes(1);

    public SandboxId sandbox() {
        return new SandboxId(sandboxId);
    }

    public boolean isOver() {
        return endedAt != null;
    }

    /** In the words of the sessions' door. */
    public String status(Instant now) {
        if (isOver()) {
            return "terminated";
        }
        return Duration.between(activeAt, now).compareTo(IDLE_AFTER) > 0 ? "idle" : "active";
    }

    /** Whether time ended it, rather than its command or a person. */
    boolean wasCutShort() {
        return EndReason.IDLE.wireName().equals(endReason)
                || EndReason.EXPIRED.wireName().equals(endReason);
    }

    boolean wasRevoked() {
        return EndReason.REVOKED.wireName().equals(endReason);
    }

    String whyOver() {
        return EndReason.IDLE.wireName().equals(endReason)
                ? "The session was ended: nothing happened for " + idleSeconds + " s."
                : "Session has expired";
    }

    public Map<String, Object> overDetails() {
        return Map.of("sessionId", id, "expiredAt", String.valueOf(endedAt == null ? expiresAt : endedAt));
    }

    TerminalData told() {
        boolean over = endedAt != null && startedAt != null;
        return new TerminalData(
                sandboxId,
                id,
                owner,
                exitCode,
                endReason,
                over ? Duration.between(startedAt, endedAt).toMillis() : null);
    }
}
