package io.bivouac.foundation.audit;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.security.MessageDigest;
import java.time.Instant;

/** One act, bound to all before it by {@code previous}. */
@MappedEntity("audit")
public record AuditRow(
        String projectId,
        @Id long sequence,
        Instant at,
        String actor,
        String action,
        String subject,
        String detail,
        byte[] previous,
        byte[] hash) {
    static final byte[] BEGINNING = new byte[32];

    boolean isIntact() {
        var act = new AuditedAct(projectId, at, actor, action, subject, detail);
        return MessageDigest.isEqual(hash, act.hashAfter(previous, sequence));
    }
}
