package io.bivouac.foundation.audit;

import io.bivouac.sandboxmodel.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** What is written down of an act, before it has its place in the chain. */
record AuditedAct(String project, Instant at, String actor, String action, String subject, String detail) {

    /** What is hashed between the previous hash and the sequence number. */
    byte[] hashedFirst() {
        return joined(project);
    }

    /** What is hashed after the sequence number. */
    byte[] hashedLast() {
        return joined(at.toString(), actor, action, subject, detail);
    }

    byte[] hashAfter(byte[] previous, long sequence) {
        var digest = Sha256.digest();
        digest.update(previous);
        digest.update(hashedFirst());
        digest.update(joined(Long.toString(sequence)));
        digest.update(hashedLast());
        return digest.digest();
    }

    /** The length goes first, so that no two different rows hash the same bytes. */
    private static byte[] joined(String... fields) {
        var all = new ByteArrayOutputStream();
        for (var field : fields) {
            var bytes = field.getBytes(StandardCharsets.UTF_8);
            all.writeBytes((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            all.writeBytes(bytes);
        }
        return all.toByteArray();
    }
}
