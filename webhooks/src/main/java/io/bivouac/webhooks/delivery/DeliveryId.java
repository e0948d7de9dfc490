package io.bivouac.webhooks.delivery;

import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxmodel.Sha256;
import io.bivouac.sandboxmodel.SortableId;

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
        return SortableId.of(PREFIX, millis, Sha256.of(endpoint + "/" + event));
    }

    /** The least id of a moment. */
    public static String first(long millis) {
        return SortableId.of(PREFIX, millis, new byte[0]);
    }
}
