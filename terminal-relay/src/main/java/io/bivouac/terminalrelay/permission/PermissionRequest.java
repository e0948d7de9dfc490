package io.bivouac.terminalrelay.permission;

import io.bivouac.events.PermissionData;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.terminalrelay.wire.ToClient;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A question as the database has it. Its text is fit to be shown.
 *
 * @param owner who the asking terminal runs for
 * @param inputBytes how long the whole input was, of which {@code input} is the beginning
 * @param fingerprint of all that was asked: what a grant covers
 * @param decidedBy null when nobody did
 * @param grantedUntil until then the same question needs no answer
 * @param host the host and port that a yes opens; null for all that programs ask themselves
 * @param scope how far a yes to that reaches; null for all other questions and answers
 */
@MappedEntity("permission_requests")
public record PermissionRequest(
        @Id String id,
        String sandboxId,
        String projectId,
        @Nullable String terminalId,
        @Nullable String owner,
        String questionId,
        String source,
        String action,
        String resource,
        String description,
        String cwd,
        String input,
        int inputBytes,
        String fingerprint,
        int quorum,
        String state,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant decidedAt,
        @Nullable String decidedBy,
        @Nullable String reason,
        @Nullable Instant grantedUntil,
        @Nullable String host,
        @Nullable String scope) {
    static final String PREFIX = "perm_";
    static final String OPEN = "open";
    static final String GRANTED = "granted";
    static final String DENIED = "denied";

    private static final int SUMMARY = 256;

    public SandboxId sandbox() {
        return new SandboxId(sandboxId);
    }

    public boolean isOpen() {
        return state.equals(OPEN);
    }

    public boolean isGranted() {
        return state.equals(GRANTED);
    }

    /** A question of the proxy: no program can ask one, whatever it calls its action. */
    static PermissionRequest aboutHost(
            Sandbox sandbox,
            String host,
            String program,
            String fingerprint,
            int quorum,
            Instant now,
            Instant expiresAt) {
        return new PermissionRequest(
                SortableId.next(PREFIX),
                sandbox.id().value(),
                sandbox.project(),
                null,
                null,
                SortableId.next("network_"),
                program,
                NetworkQuestions.ACTION,
                host,
                program + " wants to reach " + host,
                "",
                "",
                0,
                fingerprint,
                quorum,
                OPEN,
                now,
                expiresAt,
                null,
                null,
                null,
                null,
                host,
                null);
    }

    /** The scopes that a yes may have; null where it can have none. */
    @Nullable List<String> scopes() {
        return host == null ? null : GrantScope.WORDS;
    }

    PermissionRequest decided(
            boolean granted,
            Instant at,
            @Nullable String by,
            @Nullable String why,
            @Nullable Instant until,
            @Nullable String reach) {
        return new PermissionRequest(
                id,
                sandboxId,
                projectId,
                terminalId,
                owner,
                questionId,
                source,
                action,
                resource,
                description,
                cwd,
                input,
                inputBytes,
                fingerprint,
                quorum,
                granted ? GRANTED : DENIED,
                createdAt,
                expiresAt,
                at,
                by,
                why,
                until,
                host,
                reach);
    }

    /** Bytes of the fields that the asking program fills as it likes. */
    long largeFields() {
        return Page.utf8(resource, description, cwd, input);
    }

    /** The question as its event tells it. */
    PermissionData asked() {
        var summary = resource.isEmpty() ? (description.isEmpty() ? action : description) : resource;
        return new PermissionData(
                sandboxId,
                terminalId,
                id,
                action,
                cut(summary),
                source,
                cut(resource),
                cut(cwd),
                expiresAt,
                null,
                null,
                null);
    }

    /** The answer as its event tells it. */
    PermissionData answered() {
        return new PermissionData(
                sandboxId,
                terminalId,
                id,
                action,
                null,
                null,
                null,
                null,
                grantedUntil,
                isGranted() ? "allowed" : "denied",
                decidedBy,
                reason);
    }

    ToClient.PermissionRequest shown() {
        long timeout = Math.max(1, Duration.between(createdAt, expiresAt).toSeconds());
        return new ToClient.PermissionRequest(
                id, source, action, resource, description, cwd, input, inputBytes, timeout, expiresAt, scopes());
    }

    ToClient.PermissionResolved resolved() {
        return new ToClient.PermissionResolved(id, isGranted(), decidedBy, reason, grantedUntil);
    }

    private static String cut(String text) {
        return text.codePointCount(0, text.length()) <= SUMMARY
                ? text
                : text.substring(0, text.offsetByCodePoints(0, SUMMARY - 1)) + "…";
    }
}
