package io.bivouac.sandboxes.audit;

import io.bivouac.sandboxes.Sha256;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.nio.charset.StandardCharsets;
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

    static byte[] hashOf(
            String project,
            long sequence,
            Instant at,
            String actor,
            String action,
            String subject,
            String detail,
            byte[] previous) {
        var digest = Sha256.digest();
        digest.update(previous);
        for (var field :
                new String[] {project, Long.toString(sequence), at.toString(), actor, action, subject, detail}) {
            var bytes = field.getBytes(StandardCharsets.UTF_8);
            // The length goes first, so that no two different rows hash the same bytes.
            digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            digest.update(bytes);
        }
        return digest.digest();
    }

    boolean isIntact() {
        return MessageDigest.isEqual(hash, hashOf(projectId, sequence, at, actor, action, subject, detail, previous));
    }
}
