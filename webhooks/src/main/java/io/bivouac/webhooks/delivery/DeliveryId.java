package io.bivouac.webhooks.delivery;

import io.bivouac.sandboxes.SortableId;
import io.bivouac.sandboxes.outbox.Outbox;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The name of one event's way to one endpoint. Made from both, so that whoever meets the pair again, after a crash or
 * for a replay, finds the same row; begun with the event's time, so that a day's deliveries are a range.
 */
public final class DeliveryId {
    public static final String PREFIX = "whd_";

    private DeliveryId() {}

    public static String of(String endpoint, String event) {
        long millis =
                SortableId.matches(Outbox.EVENT_PREFIX, event) ? SortableId.millisOf(Outbox.EVENT_PREFIX, event) : 0;
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return SortableId.of(
                    PREFIX, millis, digest.digest((endpoint + "/" + event).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The least id of a moment. */
    public static String first(long millis) {
        return SortableId.of(PREFIX, millis, new byte[0]);
    }
}
