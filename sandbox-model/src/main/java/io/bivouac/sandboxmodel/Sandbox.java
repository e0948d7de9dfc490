package io.bivouac.sandboxmodel;

import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;

/**
 * A sandbox as it is at one moment.
 *
 * @param version rises with every stored change; a change against an older version is refused
 * @param sequence the number of events said about it so far
 */
public record Sandbox(
        SandboxId id,
        String project,
        Definition definition,
        Placement placement,
        Status status,
        Lifetime lifetime,
        Instant updatedAt,
        long version,
        long sequence) {
    /** How a stopped sandbox is shown whose time is over for good. */
    public static final String EXPIRED = "expired";

    /** The same draft under another id. */
    public Sandbox as(SandboxId other) {
        return new Sandbox(other, project, definition, placement, status, lifetime, updatedAt, version, sequence);
    }

    public SandboxState state() {
        return status.state();
    }

    public boolean isOver() {
        return state() == SandboxState.DELETED || status.stopReason() == StopReason.EXPIRED;
    }

    /** Whether its time is over for good and its instance is gone. */
    public boolean hasExpired() {
        return state() == SandboxState.STOPPED && status.stopReason() == StopReason.EXPIRED;
    }

    /** The state as clients see it. */
    public String shownState() {
        return hasExpired() ? EXPIRED : state().wireName();
    }

    public Sandbox with(Status next) {
        return new Sandbox(id, project, definition, placement, next, lifetime, next.since(), version, sequence);
    }

    /** The same state, of which something else has changed. */
    public Sandbox changedAt(Instant now, Status next) {
        return new Sandbox(id, project, definition, placement, next, lifetime, now, version, sequence);
    }

    public Sandbox extendedBy(Duration more, Instant now) {
        return new Sandbox(
                id, project, definition, placement, status, lifetime.extendedBy(more), now, version, sequence);
    }

    /** The same after it was used at this time; itself, when that does not move its end. */
    public Sandbox usedAt(Instant then, Instant now) {
        var end = lifetime.endAfterUse(then);
        return end.equals(lifetime.expiresAt())
                ? this
                : new Sandbox(
                        id, project, definition, placement, status, lifetime.endingAt(end), now, version, sequence);
    }

    /** The same on its way to running again. */
    public Sandbox startedAgain(Instant now) {
        return with(Status.of(SandboxState.STARTING, now)).with(lifetime.startedAt(now));
    }

    /** The same, whose workspace is kept until then after its end; or no longer, when null. */
    public Sandbox withFilesUntil(@Nullable Instant end, Instant now) {
        return new Sandbox(
                id, project, definition, placement, status, lifetime.withFilesUntil(end), now, version, sequence);
    }

    private Sandbox with(Lifetime other) {
        return new Sandbox(id, project, definition, placement, status, other, updatedAt, version, sequence);
    }

    public Sandbox expiryAnnounced(Instant now) {
        return new Sandbox(id, project, definition, placement, status, lifetime.asAnnounced(), now, version, sequence);
    }

    public Sandbox reaching(EgressPolicy egress, Instant now) {
        return new Sandbox(id, project, definition.with(egress), placement, status, lifetime, now, version, sequence);
    }

    /** The same after a change was stored that said this many events. */
    public Sandbox stored(long newVersion, int events) {
        return new Sandbox(
                id,
                project,
                definition,
                placement,
                status,
                lifetime,
                updatedAt,
                newVersion,
                Math.addExact(sequence, events));
    }
}
